using Microsoft.Extensions.Logging;
using Orleans.Runtime;
using Polyjuice.Contracts;

namespace Polyjuice.Orleans;

/// <summary>What this host logs.</summary>
internal static partial class HostLog
{
    [LoggerMessage(
        1, LogLevel.Information,
        "Polyjuice has started on {Silo} ({Node}) with {Engines} engine(s) and {Partitions} log partition(s) under "
        + "policy {Policy}.")]
    public static partial void Started(
        ILogger logger, SiloAddress silo, NodeId node, int engines, int partitions, string policy);

    [LoggerMessage(2, LogLevel.Information, "Polyjuice has stopped on {Silo} ({Node}).")]
    public static partial void Stopped(ILogger logger, SiloAddress silo, NodeId node);

    [LoggerMessage(3, LogLevel.Information, "Partition {Partition} is served by {Silo} now.")]
    public static partial void Serving(ILogger logger, int partition, SiloAddress silo);

    [LoggerMessage(4, LogLevel.Information, "Partition {Partition} leaves {Silo}.")]
    public static partial void Leaving(ILogger logger, int partition, SiloAddress silo);

    [LoggerMessage(
        5, LogLevel.Error, "Partition {Partition} could not be taken over by {Silo}; that is tried again in {Delay}.")]
    public static partial void NotAcquired(
        ILogger logger, Exception exception, int partition, SiloAddress silo, TimeSpan delay);

    [LoggerMessage(
        27, LogLevel.Debug,
        "Partition {Partition} could still not be taken over by {Silo}; that is tried again in {Delay}.")]
    public static partial void StillNotAcquired(
        ILogger logger, Exception exception, int partition, SiloAddress silo, TimeSpan delay);

    [LoggerMessage(
        6, LogLevel.Warning, "Silo {Silo} ({Node}) is dead: what depends on its transactions is settled without it.")]
    public static partial void SiloDied(ILogger logger, SiloAddress silo, NodeId node);

    [LoggerMessage(7, LogLevel.Error, "Following the cluster's membership has failed; it is tried again.")]
    public static partial void MembershipFailed(ILogger logger, Exception exception);

    [LoggerMessage(10, LogLevel.Error, "A work item of the engine's turn failed.")]
    public static partial void WorkFailed(ILogger logger, Exception exception);

    [LoggerMessage(11, LogLevel.Error, "Engine messages from {Node} could not be taken.")]
    public static partial void MessageFailed(ILogger logger, Exception exception, NodeId node);

    [LoggerMessage(
        12, LogLevel.Warning,
        "A transaction waits in a grain of class {GrainClass}, which is not [Reentrant]: other calls to the grain wait "
        + "with it. Make grains with transactional states [Reentrant].")]
    public static partial void NotReentrant(ILogger logger, Type grainClass);

    [LoggerMessage(
        13, LogLevel.Warning,
        "Grain class {GrainClass} asks for {Placement}, but grains with transactional states are placed where their "
        + "log partition is served: that is used instead.")]
    public static partial void PlacementIgnored(ILogger logger, string grainClass, string placement);

    [LoggerMessage(
        14, LogLevel.Information,
        "Transactions use logs in this process's memory, because no logs were added to the silo: what was committed "
        + "ends with the process.")]
    public static partial void MemoryOnly(ILogger logger);

    [LoggerMessage(
        15, LogLevel.Critical,
        "{Silo} runs another transaction engine than this silo on grain type {GrainType}. Two engines must not share a "
        + "cluster: replace all silos at once (blue-green).")]
    public static partial void MixedEngines(ILogger logger, SiloAddress silo, GrainType grainType);

    [LoggerMessage(
        16, LogLevel.Debug,
        "{Grain} was sent here, but its log partition {Partition} is for {Owner} to serve: its calls are sent on.")]
    public static partial void SentOn(ILogger logger, GrainId grain, int partition, SiloAddress owner);

    [LoggerMessage(
        17, LogLevel.Warning,
        "Grain {Grain} could not be activated, and something waits for its state {State}, which is in a row; that is "
        + "tried again.")]
    public static partial void NotWoken(ILogger logger, Exception exception, string grain, string state);

    [LoggerMessage(
        18, LogLevel.Error,
        "A row names state {State} of grain {Grain}, which keeps no state of that name in a row here: what that state "
        + "has decided can't be known, and what depends on it stays undecided. Keep the state with the storage "
        + "provider that it was in.")]
    public static partial void NoSuchRow(ILogger logger, string grain, string state);

    [LoggerMessage(
        19, LogLevel.Information,
        "States of storage {Storage} are in this engine's log, because the silo has no storage provider of that name.")]
    public static partial void NoProvider(ILogger logger, string storage);

    [LoggerMessage(
        20, LogLevel.Critical,
        "{Silo} keeps a transactional state of grain type {GrainType} in another place than this silo: give all silos "
        + "the same storage providers and the same PolyjuiceOptions.StateStorage, and replace them all at once.")]
    public static partial void MixedStorages(ILogger logger, SiloAddress silo, GrainType grainType);

    [LoggerMessage(
        39, LogLevel.Critical,
        "The class of grain type {GrainType} declares another transaction group on {Silo} than on this silo: give all "
        + "silos the same declarations, and replace them all at once.")]
    public static partial void MixedGroups(ILogger logger, SiloAddress silo, GrainType grainType);

    [LoggerMessage(
        41, LogLevel.Critical,
        "{Silo} runs a version of Polyjuice that knows one engine for each silo, and this silo has several: set "
        + "PolyjuiceOptions.EnginesPerSilo = 1 until all silos run this version.")]
    public static partial void OneEngineOnly(ILogger logger, SiloAddress silo);

    [LoggerMessage(
        40, LogLevel.Information,
        "Transaction groups are declared otherwise than when the logs in {Location} were last opened ({Classes}): they "
        + "are looked through once for states of these classes.")]
    public static partial void GroupsChanged(ILogger logger, string classes, string location);

    [LoggerMessage(
        23, LogLevel.Critical,
        "{Silo} keeps its transaction logs in {Theirs}, and this silo in {Own}. Silos of one cluster must share their "
        + "logs, or each keeps a history of its own.")]
    public static partial void MixedLogs(ILogger logger, SiloAddress silo, string theirs, string own);

    [LoggerMessage(24, LogLevel.Debug, "{Silo} has not said where its transaction logs are.")]
    public static partial void LogsNotCompared(ILogger logger, Exception exception, SiloAddress silo);

    [LoggerMessage(
        21, LogLevel.Error, "The row of {Grain}.{State} could not be taken over again; the grain is deactivated.")]
    public static partial void RowNotRegained(ILogger logger, Exception exception, string grain, string state);

    [LoggerMessage(
        22, LogLevel.Warning,
        "Grain {Grain} could not be activated for a transaction that reserves its state: transactions come to it "
        + "without reservations.")]
    public static partial void NotLoaded(ILogger logger, Exception exception, string grain);

    [LoggerMessage(
        25, LogLevel.Warning,
        "UsePolyjuice() was called {Times} times on this silo. The options of all of these calls hold, in their order; "
        + "where two set the same one, the later does.")]
    public static partial void UsedTwice(ILogger logger, int times);

    [LoggerMessage(
        26, LogLevel.Error, "Traces can't be written into {Folder}: the silo runs without them until that is mended.")]
    public static partial void TraceNotWritable(ILogger logger, Exception exception, string folder);

    [LoggerMessage(
        28, LogLevel.Warning,
        "{Silo} has no class of grain type {GrainType}, which has transactional states: grains of it whose log "
        + "partition that silo serves can't be called. Give all silos of the cluster the same classes of such grains.")]
    public static partial void MissingClass(ILogger logger, SiloAddress silo, GrainType grainType);

    [LoggerMessage(
        29, LogLevel.Warning,
        "Policy {Policy} (version {Version}) is for other transactions: nothing in this cluster starts any of the "
        + "types that it names, and all run by its default rows. It names {Types}.")]
    public static partial void NoTypeKnown(ILogger logger, string policy, int version, string types);

    [LoggerMessage(
        30, LogLevel.Warning,
        "Policy {Policy} (version {Version}) names transaction types that nothing in this cluster starts, so their "
        + "rows have no effect: {Types}.")]
    public static partial void TypesUnknown(ILogger logger, string policy, int version, string types);

    [LoggerMessage(
        31, LogLevel.Warning,
        "{Silo} has version {Theirs} of {Interface}, and this silo version {Own}: grains with transactional states are "
        + "placed by their log partition and not by version, so calls of the higher version fail where the silo of the "
        + "lower one serves the partition. Give all silos of the cluster the same versions of such grains' "
        + "interfaces.")]
    public static partial void OtherVersion(
        ILogger logger, SiloAddress silo, string theirs, GrainInterfaceType @interface, string own);

    [LoggerMessage(
        32, LogLevel.Debug,
        "{Silo} did not say how a call within a transaction has ended. The transaction is made again.")]
    public static partial void ReportNotFound(ILogger logger, Exception exception, SiloAddress silo);

    [LoggerMessage(33, LogLevel.Debug, "It could not be found out whether a call waits for the turn of {Grain}.")]
    public static partial void TurnUnknown(ILogger logger, Exception exception, GrainId grain);

    [LoggerMessage(34, LogLevel.Warning, "Message {Id} was not taken by outbox sender {Sender} at attempt {Attempt}.")]
    public static partial void NotSent(ILogger logger, Exception exception, string id, string sender, int attempt);

    [LoggerMessage(
        35, LogLevel.Error,
        "Message {Id} of {Source} was parked: outbox sender {Sender} has not taken it in all of its attempts. "
        + "IOutboxParking sends it again, or drops it.")]
    public static partial void Parked(ILogger logger, Exception exception, string id, GrainId source, string sender);

    [LoggerMessage(
        36, LogLevel.Error,
        "Message {Id} to outbox sender {Sender} can't be parked, because too many of its lane are: messages of its "
        + "grain wait behind it. Send those that are parked again, or drop them.")]
    public static partial void NotParked(ILogger logger, string id, string sender);

    [LoggerMessage(37, LogLevel.Debug, "A transaction of outbox lane {Lane} has failed; it is tried again.")]
    public static partial void LaneFailed(ILogger logger, Exception exception, string lane);

    [LoggerMessage(38, LogLevel.Warning, "The outbox could not be looked at; this is tried again at once.")]
    public static partial void WatchFailed(ILogger logger, Exception exception);
}
