using Polyjuice.Training.Provenance;
using Polyjuice.Training.Search;

namespace Polyjuice.Training.Service;

/// <summary>Trains as <see cref="TableTrainer"/> does: replays in virtual time find a table, and decide.</summary>
/// <param name="train">Trains: <see cref="TableTrainer.Run"/>, but in tests.</param>
internal sealed class ReplayTraining(Func<TrainingPlan, Action<SearchPoint>, CancellationToken, TrainingResult> train)
    : ITableTraining
{
    /// <inheritdoc/>
    public bool MakesCalls => false;

    /// <inheritdoc/>
    public async Task<TrainedTable?> TrainAsync(TrainingTask task, CancellationToken cancellationToken)
    {
        var fingerprint = TrainingProvenance.FingerprintOf(task.Plan, task.Digest);
        using var journal = SearchJournal.OpenOrRenew(task.Checkpoint, fingerprint);
        var plan = task.Plan with { Journal = journal };
        var result = await Task.Factory
            .StartNew(Train, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)
            .ConfigureAwait(false);
        return new TrainedTable(task.Plan, result);

        TrainingResult Train()
        {
            // On a thread of its own, which ends with the training.
            if (task.HasLowPriority) LowPriority.Begin();
            return train(plan, task.Searched, cancellationToken);
        }
    }
}
