using Microsoft.Extensions.Logging;

namespace Polyjuice.Storage;

/// <summary>Opens logs whose lock another process may have, which may have died a moment ago.</summary>
internal static partial class LockedLogs
{
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_margin = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Opens the logs on a device, or creates them there; see <see cref="SegmentedLogStore.OpenAsync"/> for what else
    /// it throws.
    /// </summary>
    /// <param name="device">Makes the device, anew for each try; the store, or the failed try, disposes it.</param>
    /// <param name="options">How logs are kept there.</param>
    /// <param name="lockWait">How long to wait for the lock that another process has; 0 fails at once,
    /// <see langword="null"/> waits a little longer than the lock of a process that has died lasts.</param>
    /// <param name="leaseDuration">How long that is.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Where it says that it waits, and what it found.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="LogDeviceLockedException">Another process uses them, and did for all of that time.</exception>
    public static async Task<SegmentedLogStore> OpenAsync(
        Func<CancellationToken, Task<ILogDevice>> device, SegmentedLogOptions options, TimeSpan? lockWait,
        TimeSpan leaseDuration, TimeProvider time, ILogger logger, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(device);
        ArgumentNullException.ThrowIfNull(time);
        var wait = lockWait ?? leaseDuration + s_margin;
        var began = time.GetTimestamp();
        for (var isFirst = true; ; isFirst = false)
        {
            try
            {
                var opened = await device(cancellationToken).ConfigureAwait(false);
                return await SegmentedLogStore.OpenAsync(
                    opened, options, logger, cancellationToken).ConfigureAwait(false);
            }
            catch (LogDeviceLockedException exception) when (time.GetElapsedTime(began) < wait)
            {
                if (isFirst) WaitingForLock(logger, exception.Message, wait);
                await Task.Delay(s_interval, time, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    [LoggerMessage(121, LogLevel.Warning, "{Problem} Waiting for that, at most {Wait}.")]
    private static partial void WaitingForLock(ILogger logger, string problem, TimeSpan wait);
}
