namespace Polyjuice.Training.Cluster;

/// <summary>What a <see cref="ClusterTraining"/> came to.</summary>
/// <param name="Plan">The search, with the costs that the calibration has fitted.</param>
/// <param name="Training">The training, decided by the race if there was one.</param>
/// <param name="Searches">Every search that ran, by its name.</param>
internal sealed record ClusterTrainingResult(
    TrainingPlan Plan, TrainingResult Training, IReadOnlyList<(string Name, TrainingResult Result)> Searches)
{
    /// <summary>
    /// Whether somebody has ended the race before there was an answer; the same plan, with its checkpoint, goes on.
    /// </summary>
    public bool IsUndecided { get; init; }
}
