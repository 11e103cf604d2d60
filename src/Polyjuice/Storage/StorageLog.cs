using Microsoft.Extensions.Logging;

namespace Polyjuice.Storage;

/// <summary>What stores log.</summary>
internal static partial class StorageLog
{
    [LoggerMessage(
        101, LogLevel.Warning,
        "{File}: cut {Bytes} bytes at offset {Offset}, which a crash left of an append that was never "
        + "answered ({What}).")]
    public static partial void TornTailCut(ILogger logger, string file, long offset, long bytes, string what);

    [LoggerMessage(102, LogLevel.Information, "Logs in {Location}: {Partitions} partition(s).")]
    public static partial void Opened(ILogger logger, string location, int partitions);

    [LoggerMessage(103, LogLevel.Warning, "{Name} could not be deleted; it will be tried again.")]
    public static partial void NotDeleted(ILogger logger, Exception exception, string name);

    [LoggerMessage(
        104, LogLevel.Warning,
        "The logs in {Location} were created with {Partitions} partition(s), which stays so: NewPartitions = {Asked} "
        + "is for logs that are created now.")]
    public static partial void OtherNewPartitions(ILogger logger, string location, int partitions, int asked);
}
