using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>An attempt ends, and its caller is told, or it is tried again.</summary>
/// <param name="Node">The agent.</param>
/// <param name="Id">The attempt.</param>
/// <param name="Abort">Why it did not commit; <see langword="null"/> when it did.</param>
/// <param name="IsReadOnly">Whether it was declared read-only.</param>
/// <param name="Timestamp">Its commit timestamp, or its snapshot's.</param>
/// <param name="Now">The agent's wall clock, in microseconds.</param>
internal readonly record struct CallerTold(
    NodeId Node, TransactionId Id, AbortReason? Abort, bool IsReadOnly, long Timestamp, long Now);
