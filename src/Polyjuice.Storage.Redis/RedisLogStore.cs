using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using StackExchange.Redis;

namespace Polyjuice.Storage.Redis;

/// <summary>Logs in a Redis server.</summary>
internal static class RedisLogStore
{
    /// <summary>
    /// Opens the logs in a server, or creates them there. See <see cref="SegmentedLogStore.OpenAsync"/> for what else
    /// it throws.
    /// </summary>
    /// <param name="options">The server, and how logs are kept there.</param>
    /// <param name="logger">Where it says what it found.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="ValidationException">An option is missing or out of its bounds; the message names
    /// it.</exception>
    /// <exception cref="LogDeviceLockedException">Another process uses them, and did for all of
    /// <see cref="RedisLogOptions.LockWait"/>.</exception>
    /// <exception cref="LogUnusableException">The server would lose what it has answered.</exception>
    /// <exception cref="IOException">The server can't be reached; the message says what to do.</exception>
    /// <exception cref="UnauthorizedAccessException">This process may not.</exception>
    public static Task<SegmentedLogStore> OpenAsync(
        RedisLogOptions options, ILogger logger, CancellationToken cancellationToken) =>
        OpenAsync(options, TimeProvider.System, logger, cancellationToken);

    /// <summary>
    /// The keys to look at: nothing is created or locked, and other processes may use the logs meanwhile.
    /// </summary>
    internal static async Task<RedisLogDevice> OpenToLookAsync(
        RedisLogOptions options, CancellationToken cancellationToken)
    {
        RedisLogOptionsValidator.Instance.CheckToLook(options);
        return await OpenDeviceAsync(options, TimeProvider.System, null, cancellationToken).ConfigureAwait(false);
    }

    internal static async Task<SegmentedLogStore> OpenAsync(
        RedisLogOptions options, TimeProvider time, ILogger logger, CancellationToken cancellationToken)
    {
        RedisLogOptionsValidator.Instance.Check(options);
        return await LockedLogs.OpenAsync(
            async token => await OpenDeviceAsync(options, time, logger, token).ConfigureAwait(false), options,
            options.LockWait, options.LeaseDuration, time, logger, cancellationToken)
            .ConfigureAwait(false);
    }

    private static async Task<RedisLogDevice> OpenDeviceAsync(
        RedisLogOptions options, TimeProvider time, ILogger? logger, CancellationToken cancellationToken)
    {
        var configuration = options.Multiplexer is { } shared
            ? ConfigurationOptions.Parse(shared.Configuration) : RedisClients.Settings(options);
        var errors = new RedisErrors(
            RedisLogDevice.LocationOf(configuration, configuration.DefaultDatabase ?? 0, options.KeyPrefix));
        var redis = options.Multiplexer
            ?? await RedisClients.ConnectAsync(configuration, errors, cancellationToken).ConfigureAwait(false);
        var device = new RedisLogDevice(
            redis, new RedisDeviceSettings { Prefix = options.KeyPrefix, LeaseDuration = options.LeaseDuration,
            Time = time }, ownsRedis: options.Multiplexer is null);
        try
        {
            if (logger is not null)
                await RedisServerCheck.RunAsync(
                    redis, options, device.Location, errors, logger, cancellationToken).ConfigureAwait(false);
            return device;
        }
        catch
        {
            await device.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }
}
