using Microsoft.Extensions.Logging;
using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>
/// What every part of an engine may know: whose it is, how it is set, its host, its clock and its counters. Turn
/// only.
/// </summary>
internal sealed class EngineContext(NodeId node, EngineOptions options, IEngineHost host, ILogger log)
{
    /// <summary>This incarnation.</summary>
    public NodeId Node { get; } = node;

    public EngineOptions Options { get; } = options;

    public IEngineHost Host { get; } = host;

    public ILogger Log { get; } = log;

    public HybridClock Clock { get; } = new(
        host,
        options.Breaks == ProtocolBreaks.ClockSkew ? long.MaxValue >> 20 : options.MaxClockSkewMicroseconds);

    public EngineStatistics Statistics { get; } = new();

    /// <summary>Of partitions, in messages and logs.</summary>
    public PartitionNames Names { get; } = new();

    /// <summary>Who hears of the protocol's steps, if anybody does.</summary>
    public IMessageEvents? Listener { get; set; }

    /// <summary>The rules that are left out, to see that they are missed.</summary>
    public ProtocolBreaks Breaks => Options.Breaks;

    /// <summary>The host's clock, in microseconds.</summary>
    public long Now => Host.UtcMicroseconds;

    /// <summary>Whether the engine was stopped, or is being.</summary>
    public bool IsStopped { get; private set; }

    public void Stop() => IsStopped = true;
}
