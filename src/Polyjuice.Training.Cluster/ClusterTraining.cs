using System.ComponentModel.DataAnnotations;
using System.Diagnostics;
using System.Globalization;
using Polyjuice.Policies;
using Polyjuice.Training.Cluster.Calibration;
using Polyjuice.Training.Cluster.Calls;
using Polyjuice.Training.Cluster.Commands;
using Polyjuice.Training.Cluster.Races;
using Polyjuice.Training.Provenance;

namespace Polyjuice.Training.Cluster;

/// <summary>
/// Trains a table for an application whose calls were recorded: looks at which of them can be made again, calibrates
/// replays on test clusters, searches in virtual time, and races what it has found on test clusters with all tables
/// that were there, by calls that the search has not seen. Every step says what it does.
/// </summary>
/// <param name="output">Where it says so.</param>
/// <param name="interrupt">
/// Ctrl-C ends the search with the best tables so far, the race with the rounds that there are, if they are enough, and
/// all other steps the whole training.
/// </param>
internal sealed class ClusterTraining(TextWriter output, UserInterrupt interrupt)
{
    private const int Steps = 4;

    /// <summary>Runs it.</summary>
    /// <param name="plan">What to do.</param>
    /// <exception cref="ArgumentException">
    /// What was recorded is too little, can't be made again, or a checkpoint is of something else.
    /// </exception>
    /// <exception cref="ValidationException">An option is out of its bounds.</exception>
    /// <exception cref="ClusterFailedException">
    /// A test cluster did not start, or did not last. What was kept so far stays.
    /// </exception>
    /// <exception cref="IOException">A checkpoint can't be used.</exception>
    /// <exception cref="OperationCanceledException">It was ended before the search had replayed anything.</exception>
    public async Task<ClusterTrainingResult> RunAsync(ClusterTrainingPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        plan.Cluster.Validate();
        var clusters = new TestClusters(plan.Application, plan.Cluster);
        var measure = new CallMeasure(clusters);
        var windows = CallWindows.Of(plan.Trace, plan.Training.Workload.HeldOutFromMicroseconds, plan.Cluster.Clients);
        var preparation = new CallPreparation(plan, clusters, output);
        Step(1, string.Create(
            CultureInfo.InvariantCulture,
            $"Looks at the recorded calls, and makes the states that {windows.HeldOutCount:n0} held-out ones met: "
            + $"{preparation.Origin}."));
        var (check, search, heldOut) = await preparation.RunAsync(windows, interrupt.Token).ConfigureAwait(false);
        var fit = await CalibrateAsync(plan, measure, search).ConfigureAwait(false);
        var fitted = fit is null ? plan.Training : plan.Training with { Settings = fit.Apply(plan.Training.Settings) };

        Step(3, $"Searches in virtual time, for {fitted.Budget.Description}; Ctrl-C takes the best so far.");
        ClusterTrainingResult result;
        try
        {
            var searches = plan.Searches.Count > 0 ? plan.Searches : [fitted.Search];
            var searched = TrainingSearches.Run(
                fitted, searches, plan.Checkpoint, plan.Digest, output, interrupt.Token, plan.RenewsCheckpoint,
                plan.Searched);
            var calls = new RecordedCalls(check.Recorded, windows.HeldOutCount, check.NotMade, fit?.Tables ?? []);
            result = new ClusterTrainingResult(searched.Plan, searched.Result with { Calls = calls }, searched.All);
        }
        finally
        {
            interrupt.Renew();
        }

        output.WriteLine(TrialTable.Of(result.Training));
        output.WriteLine(StartList.Of(result.Training));
        return result.Training.Finalists.Count == 0
            ? result
            : await RaceAsync(plan, measure, heldOut, result).ConfigureAwait(false);
    }

    private void Step(int number, string text) => output.WriteLine($"\n[{number}/{Steps}] {text}");

    private async Task<CalibrationResult?> CalibrateAsync(
        ClusterTrainingPlan plan, CallMeasure measure, PreparedCalls calls)
    {
        var seconds = plan.Cluster.Calibration.TotalSeconds;
        if (seconds <= 0)
        {
            Step(2, "Replays are not fitted: costs are as they were given.");
            return null;
        }

        Step(2, string.Create(
            CultureInfo.InvariantCulture,
            $"Calibrates replays on test clusters of {plan.Cluster.Silos} silos, for {seconds:0.#} s at the most."));
        var cluster = plan.Cluster with { Interval = default, Warmup = default, LeftOutMax = default };
        var fingerprint = StableHash.Of(string.Create(
            CultureInfo.InvariantCulture,
            $"{TrainingProvenance.EngineVersion}|{plan.Digest}|{cluster}|{plan.Training.Settings}|{plan.Training.Seed}|"
            + $"{PolicyWriter.Write(plan.Training.Parent)}"));
        var file = plan.Checkpoint is { } checkpoint ? checkpoint + ".fit" : null;
        var kept = file is null ? null : CalibrationResult.Read(file, fingerprint);
        if (kept is null)
        {
            var display = new ProgressDisplay(output, "the first table");
            kept = await display.RunAsync(report => CalibrationOf(report, fingerprint)).ConfigureAwait(false);
            if (file is not null) kept.Write(file);
        }
        else
        {
            output.WriteLine("Goes on from a calibration that was kept.");
        }

        output.WriteLine(kept.ToString());
        return kept;

        Task<CalibrationResult> CalibrationOf(Action<WorkProgress> report, ulong own)
        {
            var start = Stopwatch.GetTimestamp();
            return new ClusterCalibration(measure, plan.Cluster).RunAsync(
                plan.Training.Workload, plan.Training.Settings, plan.Training.Parent, calls, plan.Training.Seed, own,
                (table, share) =>
                {
                    var elapsed = Stopwatch.GetElapsedTime(start);
                    var left = elapsed * ((1 - share) / share);
                    var text = string.Create(
                        CultureInfo.InvariantCulture, $"calibration: {table}, {share:0%}, {left:h\\:mm\\:ss} left");
                    report(new WorkProgress(text, share, elapsed));
                },
                interrupt.Token);
        }
    }

    private async Task<ClusterTrainingResult> RaceAsync(
        ClusterTrainingPlan plan, CallMeasure measure, IReadOnlyList<PreparedCalls> calls, ClusterTrainingResult result)
    {
        var before = TableTrainer.RivalsOf(plan.Training);
        var found = result.Training.Finalists;
        Step(4, string.Create(
            CultureInfo.InvariantCulture,
            $"Makes held-out calls again under the best {found.Count} and the {before.Count} that were there, "
            + $"{plan.Cluster.Interval.TotalSeconds:0.##} s each on a cluster of its own, in turns, until one is left "
            + $"or {plan.Race.RoundsMax} rounds are over; then under the best of both kinds for "
            + $"{plan.VerdictRounds} rounds."));
        var verdict = await new ClusterRace(plan, measure, calls, output).RunAsync(found, before, interrupt.Token)
            .ConfigureAwait(false);
        return verdict is null
            ? result with { IsUndecided = true }
            : result with { Training = result.Training.DecidedBy(verdict) };
    }
}
