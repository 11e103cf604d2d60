using System.Globalization;
using Polyjuice.Training.Provenance;
using Polyjuice.Training.Search;

namespace Polyjuice.Training.Cluster.Commands;

/// <summary>Runs the searches of a training one after the other, with a checkpoint and for people who watch.</summary>
internal static class TrainingSearches
{
    /// <summary>Runs them.</summary>
    /// <param name="plan">What each does, but for its search and its journal.</param>
    /// <param name="searches">At least one; at most one with a checkpoint.</param>
    /// <param name="checkpoint">Keeps every replay; or nothing.</param>
    /// <param name="digest">Of the trace.</param>
    /// <param name="output">For people.</param>
    /// <param name="cancellationToken">Ends the search; what it has found by then is judged.</param>
    /// <param name="renews">Whether a checkpoint of something else is begun anew.</param>
    /// <param name="searched">Hears of each iteration, too.</param>
    /// <returns>The best one, by its trial on held-out data, and all of them.</returns>
    /// <exception cref="ArgumentException">The checkpoint is of something else.</exception>
    /// <exception cref="OperationCanceledException">It was ended before anything was replayed.</exception>
    public static (
        TrainingPlan Plan, TrainingResult Result, IReadOnlyList<(string Name, TrainingResult Result)> All) Run(
        TrainingPlan plan, IReadOnlyList<ITableSearch> searches, string? checkpoint, string digest, TextWriter output,
        CancellationToken cancellationToken, bool renews = false, Action<SearchPoint>? searched = null)
    {
        using var journal = checkpoint is null ? null : Open();
        if (journal is { Count: > 0 })
        {
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"goes on from {journal.Count:n0} replays that took {journal.Elapsed.TotalSeconds:n0} s"));
        }

        var results = new List<(TrainingPlan Plan, TrainingResult Result)>();
        foreach (var search in searches)
        {
            if (cancellationToken.IsCancellationRequested && results.Count > 0) break;
            var own = plan with { Search = search, Journal = journal };
            var display = new SearchDisplay(output, plan.Budget, search.Name);
            var result = display.Run(hear => TableTrainer.Run(own, hear + searched, cancellationToken));
            results.Add((own, result));
            if (searches.Count == 1) continue;
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{search.Name}: {result.Trial.Mean:n0} on held-out data after {result.Evaluations:n0} replays"));
        }

        var best = results.MaxBy(one => one.Result.Trial.Mean);
        return (best.Plan with
        {
            Journal = null
        }, best.Result, [.. results.Select(static one => (one.Plan.Search.Name, one.Result))]);

        SearchJournal Open()
        {
            var fingerprint = TrainingProvenance.FingerprintOf(plan with { Search = searches[0] }, digest);
            return renews
                ? SearchJournal.OpenOrRenew(checkpoint, fingerprint)
                : SearchJournal.Open(checkpoint, fingerprint);
        }
    }
}
