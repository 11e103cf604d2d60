using Polyjuice.Contracts;

namespace Polyjuice.Tests.Agents;

/// <summary>A clock and a random source that a test sets.</summary>
internal sealed class ManualHost : IEngineHost
{
    public long UtcMicroseconds { get; set; }

    public ulong Random { get; set; }

    public ulong NextRandom() => Random;

    public void Send(NodeId destination, ReadOnlySpan<byte> batch) => throw new NotSupportedException();

    public void Schedule(long delayMicroseconds, Action callback) => throw new NotSupportedException();

    public void RequestFlush() => throw new NotSupportedException();

    public NodeId OwnerOf(int partition) => NodeId.None;
}
