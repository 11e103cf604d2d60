using Microsoft.Extensions.Logging;
using Orleans.Runtime;
using Polyjuice.Hosting;

namespace Polyjuice.Embedded.Core;

/// <summary>What the embedded host logs.</summary>
internal static partial class HostLog
{
    [LoggerMessage(1, LogLevel.Information, "Polyjuice's embedded host has started {Silos} silo(s) with {Partitions} log partition(s) under policy {Policy}. This is not Orleans: everything lives in this process.")]
    public static partial void Started(ILogger logger, int silos, int partitions, string policy);

    [LoggerMessage(2, LogLevel.Information, "Silo {Silo} ({Node}) has started.")]
    public static partial void SiloStarted(ILogger logger, string silo, NodeId node);

    [LoggerMessage(3, LogLevel.Warning, "Silo {Silo} ({Node}) was killed.")]
    public static partial void SiloKilled(ILogger logger, string silo, NodeId node);

    [LoggerMessage(4, LogLevel.Information, "Silo {Silo} ({Node}) has stopped.")]
    public static partial void SiloStopped(ILogger logger, string silo, NodeId node);

    [LoggerMessage(5, LogLevel.Information, "Partition {Partition} is served by {Node} now.")]
    public static partial void PartitionMoved(ILogger logger, int partition, NodeId node);

    [LoggerMessage(6, LogLevel.Error, "Partition {Partition} could not be taken over by {Node}.")]
    public static partial void PartitionLost(ILogger logger, Exception exception, int partition, NodeId node);

    [LoggerMessage(10, LogLevel.Error, "A work item of the node's loop failed.")]
    public static partial void WorkFailed(ILogger logger, Exception exception);

    [LoggerMessage(11, LogLevel.Error, "A message from {Node} could not be taken.")]
    public static partial void MessageFailed(ILogger logger, Exception exception, NodeId node);

    [LoggerMessage(12, LogLevel.Error, "Grain {Grain} could not be activated.")]
    public static partial void ActivationFailed(ILogger logger, Exception exception, GrainId grain);

    [LoggerMessage(13, LogLevel.Error, "Grain {Grain} failed while it was deactivated.")]
    public static partial void DeactivationFailed(ILogger logger, Exception exception, GrainId grain);

    [LoggerMessage(14, LogLevel.Error, "A timer of grain {Grain} failed.")]
    public static partial void TimerFailed(ILogger logger, Exception exception, GrainId grain);

    [LoggerMessage(15, LogLevel.Warning, "A one-way call of grain {Grain} failed.")]
    public static partial void OneWayFailed(ILogger logger, Exception exception, GrainId grain);
}
