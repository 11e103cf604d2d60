using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;
using Polyjuice.Storage;

namespace Polyjuice.Simulation.Storage;

/// <summary>A change of a row that a process has asked for.</summary>
internal sealed record RowRequest(
    ISimulatedProcess Process, int Row, string? ExpectedETag, RowMetadata Metadata,
    IReadOnlyList<RowPendingState<Account>> Prepare, long? CommitUpTo, long? AbortAfter)
{
    public TaskCompletionSource<string> Answer { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
}
