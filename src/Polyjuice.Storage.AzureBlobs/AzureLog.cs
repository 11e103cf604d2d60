using Microsoft.Extensions.Logging;

namespace Polyjuice.Storage.AzureBlobs;

/// <summary>What the store logs.</summary>
internal static partial class AzureLog
{
    [LoggerMessage(121, LogLevel.Warning, "{Problem} Waiting for that, at most {Wait}.")]
    public static partial void WaitingForLock(ILogger logger, string problem, TimeSpan wait);
}
