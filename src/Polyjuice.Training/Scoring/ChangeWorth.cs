using Polyjuice.Policies;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;

namespace Polyjuice.Training.Scoring;

/// <summary>What one row of a found table is worth.</summary>
/// <param name="Type">Its transaction type.</param>
/// <param name="Site">Its site; empty for the type's backoff.</param>
/// <param name="Gain">
/// How much more the table makes than with the other table's row in this place: the mean of the ratios less one.
/// </param>
/// <param name="Error">The standard error of that.</param>
internal sealed record RowWorth(string Type, string Site, double Gain, double Error);

/// <summary>Finds out which changes of a table matter: takes them back one row at a time, on held-out data.</summary>
internal static class ChangeWorth
{
    /// <summary>The rows in which a table differs from another, the most valuable first.</summary>
    /// <param name="plan">Where both were replayed.</param>
    /// <param name="found">The table.</param>
    /// <param name="other">What it is compared with.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="OperationCanceledException">It was given up.</exception>
    public static IReadOnlyList<RowWorth> Of(
        TrainingPlan plan, PolicyDocument found, PolicyDocument other, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var space = new TableSpace(plan.Workload, plan.Parent, [found, other]);
        var (own, theirs) = (space.Encode(found), space.Encode(other));
        var rows = Enumerable.Range(0, space.Cells.Count).GroupBy(i => (space.Cells[i].Type, space.Cells[i].Site))
            .Where(row => row.Any(i => own.Choices[i] != theirs.Choices[i])).ToList();
        var tables = rows.Select(row => Back(own, theirs, row)).Prepend(own)
            .Select(IPolicyCompiler (candidate) => new DocumentPolicy(space.Decode(candidate, found.Name))).ToList();
        var trial = HeldOutTrial.Run(
            new ReplayEvaluator(plan.Workload, plan.Settings), plan.Objective, tables, plan.Seed, plan.TrialReplays,
            plan.Threads, cancellationToken);
        return [.. rows.Select((row, i) =>
        {
            var type = space.Catalogue.Types[row.Key.Type];
            var (gain, error) = trial[0].Over(trial[i + 1]);
            return new RowWorth(type.Name, row.Key.Site < 0 ? "" : type.Sites[row.Key.Site].Name, gain, error);
        }).OrderByDescending(worth => worth.Gain)];
    }

    private static Candidate Back(Candidate own, Candidate theirs, IEnumerable<int> row)
    {
        var choices = own.Choices.ToArray();
        foreach (var i in row) choices[i] = theirs.Choices[i];
        return new Candidate(choices);
    }
}
