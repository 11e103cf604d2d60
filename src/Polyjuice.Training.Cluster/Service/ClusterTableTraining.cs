using Polyjuice.Training.Races;
using Polyjuice.Training.Service;

namespace Polyjuice.Training.Cluster.Service;

/// <summary>
/// Has a trainer service make recorded calls again: replays in virtual time find tables, and test clusters of the
/// application's own grains decide (<see cref="ClusterTraining"/>). Silos must record calls
/// (<see cref="Tracing.TraceRecorderOptions.RecordsCalls"/>), and should record states. Test clusters take this
/// machine's processors, so the service belongs on another one than the silos.
/// </summary>
/// <param name="application">The application.</param>
/// <param name="output">Hears in lines what is done; <see langword="null"/> for nobody.</param>
internal sealed class ClusterTableTraining(TrainedApplication application, TextWriter? output = null) : ITableTraining
{
    /// <summary>
    /// The test clusters. <see langword="null"/>, and so by default,
    /// has them like the replays: silos, clients and times.
    /// </summary>
    public ClusterOptions? Cluster { get; init; }

    /// <summary>How tables race. Default: 6 rounds.</summary>
    public RaceOptions Race { get; init; } = new() { RoundsMax = 6 };

    /// <summary>Rounds of the verdict. Default 12; at least 3.</summary>
    public int VerdictRounds { get; init; } = 12;

    /// <inheritdoc/>
    public bool MakesCalls => true;

    /// <inheritdoc/>
    public async Task<TrainedTable?> TrainAsync(TrainingTask task, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(task);
        using var interrupt = new CommandLine.UserInterrupt(cancellationToken);
        var plan = new ClusterTrainingPlan
        {
            Trace = task.Trace,
            Digest = task.Digest,
            Application = application,
            Training = task.Plan with { TrialReplays = ClusterTrainingPlan.UndecidingReplays },
            Cluster = Cluster ?? ClusterOptions.Of(task.Plan.Settings),
            Race = Race,
            VerdictRounds = VerdictRounds,
            Checkpoint = task.Checkpoint,
            RenewsCheckpoint = true,
            Searched = task.Searched,
        };
        try
        {
            var result = await new ClusterTraining(output ?? TextWriter.Null, interrupt).RunAsync(plan)
                .ConfigureAwait(false);

            // Without finalists nothing has raced: the search has found nothing that was not there.
            return result.IsUndecided ? null : new TrainedTable(result.Plan, result.Training);
        }
        catch (Exception exception) when (exception is ArgumentException or ClusterFailedException)
        {
            throw new TableTrainingException(exception.Message, exception);
        }
    }
}
