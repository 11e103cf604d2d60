using Polyjuice.Training.Search;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Service;

/// <summary>How a <see cref="TrainerService"/> comes to a table, and what decides whether it is better.</summary>
internal interface ITableTraining
{
    /// <summary>
    /// Whether recorded calls are made again: then the service keeps
    /// calls and states of windows, which may be personal data.
    /// </summary>
    bool MakesCalls { get; }

    /// <summary>Trains.</summary>
    /// <param name="task">What.</param>
    /// <param name="cancellationToken">
    /// Ends it; it is decided by what there is by then, or goes on from its checkpoint the next time.
    /// </param>
    /// <returns>What it came to; <see langword="null"/> if it was ended before there was an answer.</returns>
    /// <exception cref="TableTrainingException">
    /// What was recorded does not do for it, or it can't be done here.
    /// </exception>
    /// <exception cref="OperationCanceledException">It was ended before anything was replayed.</exception>
    /// <exception cref="Replay.ReplayFailedException">The engine or the replay is broken.</exception>
    Task<TrainedTable?> TrainAsync(TrainingTask task, CancellationToken cancellationToken);
}

/// <summary>What a service wants trained.</summary>
/// <param name="Plan">The search, without a journal. What is in force is its parent.</param>
/// <param name="Trace">What it is made of; with calls and states if those are made again and were recorded.</param>
/// <param name="Digest">Of the trace.</param>
/// <param name="Checkpoint">
/// A file that keeps what was done, whose name others may begin
/// with; the service deletes them all when the training is over.
/// </param>
internal sealed record TrainingTask(TrainingPlan Plan, AccessTrace Trace, string Digest, string Checkpoint)
{
    /// <summary>Hears of the search, on any thread, one at a time.</summary>
    public Action<SearchPoint> Searched { get; init; } = static _ => { };

    /// <summary>Whether searches give way to everything else on the machine.</summary>
    public bool HasLowPriority { get; init; }
}

/// <summary>What a training came to.</summary>
/// <param name="Plan">The search as it ran: its costs may be other ones than were given.</param>
/// <param name="Result">What it has found, and whether that is better.</param>
internal sealed record TrainedTable(TrainingPlan Plan, TrainingResult Result);
