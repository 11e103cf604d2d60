namespace Polyjuice.Training.Search;

/// <summary>
/// A way to search for tables. Deterministic: the same start and seed replay
/// the same candidates in the same order, so that a longer budget only goes on.
/// </summary>
internal interface ITableSearch
{
    /// <summary>What users call it.</summary>
    string Name { get; }

    /// <summary>Where it is from, in a sentence.</summary>
    string Description { get; }

    /// <summary>
    /// Goes on until the budget is used up, which <see cref="SearchRun"/>
    /// tells by an exception that is not to be caught.
    /// </summary>
    /// <param name="run">What to begin with, and what judges.</param>
    internal void Search(SearchRun run);
}
