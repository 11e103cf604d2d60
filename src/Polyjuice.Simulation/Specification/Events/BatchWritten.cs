namespace Polyjuice.Simulation.Specification.Events;

/// <summary>A batch is in its log, whoever hears of it.</summary>
/// <param name="Partition">The log.</param>
/// <param name="Position">Where.</param>
/// <param name="Batch">Which batch; it names the node that wrote it.</param>
/// <param name="Records">What it holds.</param>
internal readonly record struct BatchWritten(
    int Partition, long Position, Polyjuice.Storage.BatchId Batch, IReadOnlyList<LoggedRecord> Records)
{
    /// <summary>For people.</summary>
    public override string ToString() =>
        $"batch {Batch} is written at {Position} of log {Partition}: {string.Join(", ", Records)}";
}
