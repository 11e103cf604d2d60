using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>An owner asks for an append, for the first time or once more (L1, L3).</summary>
/// <param name="Node">The owner.</param>
/// <param name="Partition">The log.</param>
/// <param name="Position">Where the batch must go.</param>
/// <param name="Batch">Which batch.</param>
/// <param name="Behind">The batch that it must be right behind, if that is said.</param>
/// <param name="Records">What it holds.</param>
internal readonly record struct AppendAsked(
    NodeId Node, int Partition, long Position, Polyjuice.Storage.BatchId Batch, Polyjuice.Storage.BatchId? Behind,
    IReadOnlyList<LoggedRecord> Records)
{
    /// <summary>For people.</summary>
    public override string ToString() =>
        $"{Node} asks for batch {Batch} at {Position} of log "
        + $"{Partition}{(Behind is { } behind ? $", behind {behind}" : "")}: {string.Join(", ", Records)}";
}
