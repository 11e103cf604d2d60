using System.Runtime.InteropServices;
using Polyjuice.Contracts;

namespace Polyjuice.Orleans.Turns;

/// <summary>Keys that tell a queued call from all others of the cluster. Thread-safe.</summary>
internal sealed class QueuedCallKeys(NodeId node)
{
    private long _last;

    /// <summary>The next one.</summary>
    public Guid Next()
    {
        Span<long> halves = [node.Value, Interlocked.Increment(ref _last)];
        return new(MemoryMarshal.AsBytes(halves));
    }
}
