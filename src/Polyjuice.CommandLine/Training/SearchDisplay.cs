using System.Globalization;
using Polyjuice.Training.Search;

namespace Polyjuice.CommandLine;

/// <summary>Shows how far a search is.</summary>
/// <param name="output">Where lines go.</param>
/// <param name="budget">Of the search.</param>
/// <param name="name">The search's.</param>
internal sealed class SearchDisplay(TextWriter output, SearchBudget budget, string name)
{
    /// <summary>Runs a search, which is told whom to report to.</summary>
    public T Run<T>(Func<Action<SearchPoint>, T> search) => new ProgressDisplay(output, "the tables to begin with")
        .Run(report => search(point => report(new WorkProgress(Describe(point), Used(point), point.Elapsed))));

    private double Used(SearchPoint point) =>
        Math.Min(1, Math.Max(point.Elapsed / budget.Time, (double)point.Evaluations / budget.Evaluations));

    private string Describe(SearchPoint point)
    {
        var used = Used(point);
        var left = used > 0 ? point.Elapsed * ((1 - used) / used) : budget.Time;
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{name}, iteration {point.Iteration}: best {point.Best:n0}/s, mean {point.Mean:n0}/s, "
            + $"{point.Evaluations:n0} replays, {left:h\\:mm\\:ss} left");
    }
}
