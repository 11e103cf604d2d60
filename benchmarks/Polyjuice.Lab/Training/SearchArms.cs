using Polyjuice.Training.Search;

namespace Polyjuice.Lab.Tool.Training;

/// <summary>Searches to be compared, as people name them.</summary>
internal static class SearchArms
{
    /// <summary>Searches by name, separated by commas; NAME-builtin begins with the built-in tables alone.</summary>
    /// <param name="names">What was typed.</param>
    /// <param name="option">The option that it was typed for.</param>
    /// <exception cref="CommandInputException">There is none of a name.</exception>
    public static IReadOnlyList<SearchArm> Named(string names, string option) =>
        [.. CommandInput.Parts(names, option).Distinct()
            .Select(name => name.EndsWith(SearchArm.BuiltInSuffix, StringComparison.Ordinal)
                ? new SearchArm(Search(name[..^SearchArm.BuiltInSuffix.Length], option), DerivesStarts: false)
                : new SearchArm(Search(name, option)))];

    private static ITableSearch Search(string name, string option) => TableSearches.Named(name, option)[0];
}
