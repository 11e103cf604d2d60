using System.Globalization;

namespace Polyjuice.Training.Search;

/// <summary>How long a search goes on; whichever comes first.</summary>
/// <param name="Time">
/// So long; but each of the tables that the search begins with is replayed once, however long that takes.
/// </param>
/// <param name="Evaluations">
/// So many replays; the same number ends at the same result on any machine, which time does not.
/// </param>
internal sealed record SearchBudget(TimeSpan Time, long Evaluations = long.MaxValue)
{
    /// <summary>The same for people: "45 s", "600 replays at the most".</summary>
    public string Description => Evaluations < long.MaxValue
        ? string.Create(CultureInfo.InvariantCulture, $"{Evaluations:n0} replays at the most")
        : string.Create(CultureInfo.InvariantCulture, $"{Time.TotalSeconds:0.#} s");
}
