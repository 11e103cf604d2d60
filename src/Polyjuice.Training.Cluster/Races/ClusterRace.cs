using System.Globalization;
using Polyjuice.Policies;
using Polyjuice.Training.Cluster.Calls;
using Polyjuice.Training.Provenance;
using Polyjuice.Training.Races;

namespace Polyjuice.Training.Cluster.Races;

/// <summary>
/// Decides on test clusters whether what a search has found is
/// better than what was there, by calls that it has not seen.
/// </summary>
/// <param name="plan">The training.</param>
/// <param name="measure">Measures.</param>
/// <param name="calls">The held-out calls.</param>
/// <param name="output">For people.</param>
internal sealed class ClusterRace(
    ClusterTrainingPlan plan, CallMeasure measure, IReadOnlyList<PreparedCalls> calls, TextWriter output)
{
    /// <summary>Fewer say nothing about chance.</summary>
    private const int VerdictRoundsMin = 3;

    /// <summary>The found one and two others.</summary>
    private const int VerdictTables = 3;

    /// <summary>Runs it.</summary>
    /// <param name="found">What was found; at least one.</param>
    /// <param name="before">What was there; at least one.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>The verdict; <see langword="null"/> if it was given up before there were rounds enough.</returns>
    /// <exception cref="ClusterFailedException">A cluster did not start, or did not last.</exception>
    public async Task<RaceVerdict?> RunAsync(
        IReadOnlyList<PolicyDocument> found, IReadOnlyList<PolicyDocument> before, CancellationToken cancellationToken)
    {
        var tally = new RefusedTally();
        using var journal = JournalOf(found, before);
        IRaceTrack track = new CallTrack(measure, calls, plan.Cluster, plan.Training.Objective)
        {
            Measured = tally.Add
        };
        if (journal is not null) track = new JournaledTrack(track, journal);
        var verdictTables = Math.Min(VerdictTables, before.Count + 1);
        var progress = new RaceProgress(before.Count + found.Count, plan.Race, plan.VerdictRounds, verdictTables);
        var display = new ProgressDisplay(output, "the first table");
        RaceVerdict verdict;
        try
        {
            verdict = await display.RunAsync(report => new RaceJudge(track, plan.Race, plan.VerdictRounds)
            {
                RoundsIfEnded = VerdictRoundsMin,
                Measured = (round, table, rate) => report(progress.Add(round, table, rate)),
            }.RunAsync(found, before, cancellationToken)).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            return null;
        }

        output.WriteLine(RaceTable.Of(verdict.Standings));
        output.WriteLine(
            RaceTable.Sentence(verdict) + (verdict.WasEnded ? " It was ended early, and is of these rounds." : ""));
        if (tally.Warning(RefusedTally.RecordedShare(calls.Select(static part => part.Calls))) is { } warning)
            output.WriteLine(warning);
        return verdict;
    }

    private RaceJournal? JournalOf(IReadOnlyList<PolicyDocument> found, IReadOnlyList<PolicyDocument> before)
    {
        if (plan.Checkpoint is not { } checkpoint) return null;
        var tables = string.Join('\n', found.Concat(before).Select(PolicyWriter.Write));
        var cluster = plan.Cluster with { Calibration = default, LeftOutMax = default };
        var version = TrainingProvenance.EngineVersion;
        var journal = RaceJournal.Open(checkpoint + ".race", StableHash.Of(string.Create(
            CultureInfo.InvariantCulture,
            $"{version}|{plan.Digest}|{cluster}|{plan.Race}|{plan.Training.Objective}|{tables}")));
        if (journal.Count > 0)
            output.WriteLine(
                string.Create(CultureInfo.InvariantCulture, $"goes on from {journal.Count:n0} measurements"));
        return journal;
    }
}
