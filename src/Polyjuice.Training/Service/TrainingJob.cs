using System.Globalization;
using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Training.Provenance;
using Polyjuice.Training.Races;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;
using Polyjuice.Training.Service.State;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Service;

/// <summary>
/// Trains one table and publishes it, if it is better than what is in force and every built-in one; otherwise the best
/// built-in one, if that is better than what is in force. Goes on from its checkpoint.
/// </summary>
/// <param name="options">How.</param>
/// <param name="folder">Where its trace and its checkpoint are.</param>
/// <param name="repository">Where it publishes, and finds what is in force.</param>
/// <param name="time">The clock that provenance is dated by.</param>
/// <param name="training">Trains.</param>
internal sealed class TrainingJob(
    TrainerOptions options, TrainerFolder folder, PolicyRepository repository, TimeProvider time,
    ITableTraining training)
{
    /// <summary>
    /// By how much a built-in table must be better than the one in
    /// force: the best of many is a little better by chance, too.
    /// </summary>
    private const double KnownGainMin = 0.05;

    /// <summary>Runs it.</summary>
    /// <param name="pending">Which.</param>
    /// <param name="report">Hears of the search, on a thread of its own.</param>
    /// <param name="cancellationToken">
    /// Ends the search; what it has found by then is judged, and published if it is good enough.
    /// </param>
    /// <exception cref="IOException">The repository, or the folder, can't be reached.</exception>
    /// <exception cref="OperationCanceledException">It was ended before anything was replayed.</exception>
    /// <exception cref="TableTrainingException">It can't be done.</exception>
    /// <exception cref="ReplayFailedException">The engine or the replay is broken.</exception>
    public async Task<TrainingOutcome> RunAsync(
        PendingTraining pending, Action<SearchPoint> report, CancellationToken cancellationToken)
    {
        var history = await repository.ReadAsync(null, cancellationToken);
        if (history.Break is { } wrong)
            throw new IOException(
                $"{repository.Location} is damaged: entry {wrong.Number} {wrong.Problem}. Nothing can be "
                + "published there.");
        var parent = history.InForce == 0
            ? options.FirstParent
            : PolicyReader.Parse(
                (await repository.GetAsync(history.InForce, history, cancellationToken)).Policy,
                $"release {history.InForce}");
        var trace = TraceFile.Read([folder.TrainingTrace], CancellationToken.None).Trace;
        ReplayWorkload workload;
        try
        {
            workload = ReplayWorkload.Of(trace, options.Settings.Silos);
        }
        catch (ArgumentException exception)
        {
            return new TrainingOutcome(TrainingEnd.NotTrained, exception.Message, 0);
        }

        var digest = TraceDigest.Of(trace);
        var plan = new TrainingPlan
        {
            Workload = workload,
            Settings = TableTrainer.Reserves(parent)
                ? options.Settings with { DeclaresAccesses = true }
                : options.Settings,
            Name = string.Create(CultureInfo.InvariantCulture, $"{options.Name}-{pending.Number}"), Parent = parent,
            Objective = options.Objective, Search = options.Search, Budget = options.Budget,
            Seed = options.Seed + (ulong)pending.Number, Threads = options.Threads, TrialReplays = options.TrialReplays,
        };
        var task = new TrainingTask(plan, trace, digest, folder.TrainingCheckpoint)
        {
            Searched = report, HasLowPriority = options.HasLowPriority,
        };
        if (await training.TrainAsync(task, cancellationToken) is not { } trained)
            return new TrainingOutcome(TrainingEnd.Interrupted, "it was ended before there was an answer", 0);
        (plan, var result) = (trained.Plan, trained.Result);
        if (result.IsBetter) return await PublishAsync(pending, plan, result, digest, history.Last);
        if (!result.WasEnded && BetterKnown(plan, result) is { } known)
            return await PublishAsync(pending, plan, known, digest, history.Last);
        return new TrainingOutcome(
            result.WasEnded ? TrainingEnd.Interrupted : TrainingEnd.NothingBetter, WhyNothing(result), 0);
    }

    private static string WhyNothing(TrainingResult result)
    {
        if (result.Race is { } race)
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"after {result.Evaluations} replays the best table found makes {race.Gain.Ratio:0.00} times as much "
                + $"as {race.Best.Name} on test clusters ({race.Gain.Low:0.00} to {race.Gain.High:0.00}), which is not "
                + $"more beyond chance");
        }

        var unbeaten = string.Join(", ", result.Unbeaten.Select(baseline => baseline.Name));
        return $"after {result.Evaluations} replays the best table found does not beat {unbeaten} beyond chance on "
            + "held-out data";
    }

    /// <summary>What was there is no news, but may be better for this load than what is in force.</summary>
    private static TrainingResult? BetterKnown(TrainingPlan plan, TrainingResult result)
    {
        if (result.Race is { } race) return BetterKnown(plan, result, race);
        var (best, inForce) =
            (result.BestBaseline, result.Baselines.Single(baseline => baseline.Name == plan.Parent.Name));
        if (ReferenceEquals(best, inForce) || !best.Beats(inForce) || best.Over(inForce).Gain < KnownGainMin)
            return null;
        return result with
        {
            Found = TableTrainer.StartsOf(plan).Single(start => start.Name == best.Name),
            Trial = best,
            Baselines = [inForce]
        };
    }

    /// <summary>The same where tables have raced on clusters.</summary>
    private static TrainingResult? BetterKnown(TrainingPlan plan, TrainingResult result, RaceVerdict race)
    {
        var there = TableTrainer.RivalsOf(plan).Select(table => table.Name).ToHashSet();
        var known = race.Standings.Where(standing => there.Contains(standing.Table.Name)).ToList();
        var (best, inForce) = (known[0], known.Single(standing => standing.Table.Name == plan.Parent.Name));
        if (best == inForce) return null;
        var gain = best.Over(inForce, RaceVerdict.Confidence);
        if (gain.Low <= 1 || gain.Ratio < 1 + KnownGainMin) return null;
        return result with
        {
            Found = best.Table,
            Race = race with
            {
                Found = best.Table, Best = inForce.Table, Rates = [.. best.Rates.Zip(inForce.Rates)], Gain = gain
            },
        };
    }

    private async Task<TrainingOutcome> PublishAsync(
        PendingTraining pending, TrainingPlan plan, TrainingResult result, string digest, int expected)
    {
        var source = string.Create(
            CultureInfo.InvariantCulture,
            $"collected windows, for a peak conflict rate of {pending.TargetRate:0.0000}");
        var provenance = TrainingProvenance.Write(plan, result, digest, source, time.GetUtcNow());
        var document = PolicyWriter.Write(LearnedDocument.Of(plan, result, digest, source));
        var path = Path.Combine(folder.Tables, plan.Name);

        // Whoever has ended the search wants to keep what it has found, so that is not given up as well.
        await File.WriteAllTextAsync(path + ".provenance.json", provenance, CancellationToken.None);
        await File.WriteAllTextAsync(path + ".json", document, CancellationToken.None);
        try
        {
            var release = await repository.PublishAsync(
                document, options.By, provenance, expected, CancellationToken.None);
            return new TrainingOutcome(
                TrainingEnd.Published,
                $"{result.Found.Name} is release {release.Number}: {LearnedDocument.WorthOf(result)}",
                release.Number);
        }
        catch (PolicyConflictException exception)
        {
            return new TrainingOutcome(
                TrainingEnd.Overtaken,
                $"{result.Found.Name} was compared with what is not in force any more, and is not published: "
                + $"{exception.Message}",
                0);
        }
    }
}

/// <summary>What a training came to.</summary>
/// <param name="End">How it has ended.</param>
/// <param name="Text">The same for people, without a full stop.</param>
/// <param name="Release">The entry that was published; 0 for none.</param>
internal sealed record TrainingOutcome(TrainingEnd End, string Text, int Release);

/// <summary>How a training has ended.</summary>
internal enum TrainingEnd
{
    /// <summary>A better table is in force.</summary>
    Published,

    /// <summary>None was found, so what is in force is the table for this load, too.</summary>
    NothingBetter,

    /// <summary>
    /// The service was stopped, and nothing better was found by then. It goes on when the service is started again.
    /// </summary>
    Interrupted,

    /// <summary>Somebody else has published meanwhile.</summary>
    Overtaken,

    /// <summary>Too little was recorded.</summary>
    NotTrained,
}
