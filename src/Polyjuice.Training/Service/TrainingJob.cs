using System.Globalization;
using Polyjuice.Policies;
using Polyjuice.Policies.Publishing;
using Polyjuice.Training.Provenance;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;
using Polyjuice.Training.Service.State;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Service;

/// <summary>
/// Trains one table and publishes it, if it is better than what is in force and every built-in one; otherwise the best built-in one, if
/// that is better than what is in force. Goes on from its checkpoint.
/// </summary>
/// <param name="options">How.</param>
/// <param name="folder">Where its trace and its checkpoint are.</param>
/// <param name="repository">Where it publishes, and finds what is in force.</param>
/// <param name="time">The clock that provenance is dated by.</param>
/// <param name="train">Trains: <see cref="TableTrainer.Run"/>, but in tests.</param>
internal sealed class TrainingJob(TrainerOptions options, TrainerFolder folder, PolicyRepository repository, TimeProvider time, Func<TrainingPlan, Action<SearchPoint>, CancellationToken, TrainingResult> train)
{
    /// <summary>By how much a built-in table must be better than the one in force: the best of many is a little better by chance, too.</summary>
    private const double KnownGainMin = 0.05;

    /// <summary>Runs it.</summary>
    /// <param name="pending">Which.</param>
    /// <param name="report">Hears of the search, on a thread of its own.</param>
    /// <param name="cancellationToken">Ends the search; what it has found by then is judged, and published if it is good enough.</param>
    /// <exception cref="IOException">The repository, or the folder, can't be reached.</exception>
    /// <exception cref="OperationCanceledException">It was ended before anything was replayed.</exception>
    /// <exception cref="ReplayFailedException">The engine or the replay is broken.</exception>
    public async Task<TrainingOutcome> RunAsync(PendingTraining pending, Action<SearchPoint> report, CancellationToken cancellationToken)
    {
        var history = await repository.ReadAsync(null, cancellationToken);
        if (history.Break is { } wrong) throw new IOException($"{repository.Location} is damaged: entry {wrong.Number} {wrong.Problem}. Nothing can be published there.");
        var parent = history.InForce == 0
            ? options.FirstParent
            : PolicyReader.Parse((await repository.GetAsync(history.InForce, history, cancellationToken)).Policy, $"release {history.InForce}");
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
            Workload = workload, Settings = TableTrainer.Reserves(parent) ? options.Settings with { DeclaresAccesses = true } : options.Settings,
            Name = string.Create(CultureInfo.InvariantCulture, $"{options.Name}-{pending.Number}"), Parent = parent, Objective = options.Objective, Search = options.Search, Budget = options.Budget,
            Seed = options.Seed + (ulong)pending.Number, Threads = options.Threads, TrialReplays = options.TrialReplays,
        };
        using var journal = OpenJournal(TrainingProvenance.FingerprintOf(plan, digest));
        plan = plan with { Journal = journal };
        var result = await Task.Factory.StartNew(Train, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        if (result.IsBetter) return await PublishAsync(pending, plan, result, digest, history.Last);
        if (!result.WasEnded && BetterKnown(plan, result) is { } known) return await PublishAsync(pending, plan, known, digest, history.Last);
        var unbeaten = string.Join(", ", result.Unbeaten.Select(baseline => baseline.Name));
        return new TrainingOutcome(
            result.WasEnded ? TrainingEnd.Interrupted : TrainingEnd.NothingBetter, $"after {result.Evaluations} replays the best table found does not beat {unbeaten} beyond chance on held-out data", 0);

        TrainingResult Train()
        {
            // On a thread of its own, which ends with the training.
            if (options.HasLowPriority) LowPriority.Begin();
            return train(plan, report, cancellationToken);
        }
    }

    /// <summary>What was there is no news, but may be better for this load than what is in force.</summary>
    private static TrainingResult? BetterKnown(TrainingPlan plan, TrainingResult result)
    {
        var (best, inForce) = (result.BestBaseline, result.Baselines.Single(baseline => baseline.Name == plan.Parent.Name));
        if (ReferenceEquals(best, inForce) || !best.Beats(inForce) || best.Over(inForce).Gain < KnownGainMin) return null;
        return result with { Found = TableTrainer.StartsOf(plan).Single(start => start.Name == best.Name), Trial = best, Baselines = [inForce] };
    }

    private async Task<TrainingOutcome> PublishAsync(PendingTraining pending, TrainingPlan plan, TrainingResult result, string digest, int expected)
    {
        var source = string.Create(CultureInfo.InvariantCulture, $"collected windows, for a peak conflict rate of {pending.TargetRate:0.0000}");
        var provenance = TrainingProvenance.Write(plan, result, digest, source, time.GetUtcNow());
        var document = PolicyWriter.Write(LearnedDocument.Of(plan, result, digest, source));
        var path = Path.Combine(folder.Tables, plan.Name);

        // Whoever has ended the search wants to keep what it has found, so that is not given up as well.
        await File.WriteAllTextAsync(path + ".provenance.json", provenance, CancellationToken.None);
        await File.WriteAllTextAsync(path + ".json", document, CancellationToken.None);
        try
        {
            var release = await repository.PublishAsync(document, options.By, provenance, expected, CancellationToken.None);
            return new TrainingOutcome(TrainingEnd.Published, $"{result.Found.Name} is release {release.Number}: {LearnedDocument.WorthOf(result)}", release.Number);
        }
        catch (PolicyConflictException exception)
        {
            return new TrainingOutcome(TrainingEnd.Overtaken, $"{result.Found.Name} was compared with what is not in force any more, and is not published: {exception.Message}", 0);
        }
    }

    /// <summary>One of another build, or of another table in force, is of no use any more.</summary>
    private SearchJournal OpenJournal(ulong fingerprint)
    {
        try
        {
            return SearchJournal.Open(folder.TrainingCheckpoint, fingerprint);
        }
        catch (ArgumentException)
        {
            File.Delete(folder.TrainingCheckpoint);
            return SearchJournal.Open(folder.TrainingCheckpoint, fingerprint);
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

    /// <summary>The service was stopped, and nothing better was found by then. It goes on when the service is started again.</summary>
    Interrupted,

    /// <summary>Somebody else has published meanwhile.</summary>
    Overtaken,

    /// <summary>Too little was recorded.</summary>
    NotTrained,
}
