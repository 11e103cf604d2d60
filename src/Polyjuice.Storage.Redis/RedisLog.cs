using Microsoft.Extensions.Logging;

namespace Polyjuice.Storage.Redis;

/// <summary>What the store logs.</summary>
internal static partial class RedisLog
{
    [LoggerMessage(
        141, LogLevel.Warning, "{Location}: {Problem} A crash of the server, or of its machine, loses transactions "
        + "that were answered.")]
    public static partial void NotDurable(ILogger logger, string location, string problem);
}
