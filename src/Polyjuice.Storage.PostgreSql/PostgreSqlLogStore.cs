using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Logging;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>Logs in a PostgreSQL database.</summary>
internal static class PostgreSqlLogStore
{
    /// <summary>
    /// Opens the logs in a database, or creates them there, and their tables too if that is allowed. See
    /// <see cref="SegmentedLogStore.OpenAsync"/> for what else it throws.
    /// </summary>
    /// <param name="options">The database, and how logs are kept there.</param>
    /// <param name="logger">Where it says what it found.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="ValidationException">An option is missing or out of its bounds; the message names
    /// it.</exception>
    /// <exception cref="LogDeviceLockedException">Another process uses them, and did for all of
    /// <see cref="PostgreSqlLogOptions.LockWait"/>.</exception>
    /// <exception cref="LogUnusableException">The tables are not Polyjuice's, or of a newer version.</exception>
    /// <exception cref="IOException">The server can't be reached, or lacks something; the message says what, and what
    /// to do.</exception>
    /// <exception cref="UnauthorizedAccessException">This process may not.</exception>
    public static Task<SegmentedLogStore> OpenAsync(
        PostgreSqlLogOptions options, ILogger logger, CancellationToken cancellationToken) =>
        OpenAsync(options, TimeProvider.System, logger, cancellationToken);

    /// <summary>
    /// The tables to look at: nothing is created or locked, and other processes may use the logs meanwhile.
    /// </summary>
    internal static async Task<PostgreSqlLogDevice> OpenToLookAsync(
        PostgreSqlLogOptions options, CancellationToken cancellationToken)
    {
        PostgreSqlLogOptionsValidator.Instance.CheckToLook(options);
        return await OpenDeviceAsync(options, TimeProvider.System, null, cancellationToken).ConfigureAwait(false);
    }

    internal static async Task<SegmentedLogStore> OpenAsync(
        PostgreSqlLogOptions options, TimeProvider time, ILogger logger, CancellationToken cancellationToken)
    {
        PostgreSqlLogOptionsValidator.Instance.Check(options);
        return await LockedLogs.OpenAsync(
            async token => await OpenDeviceAsync(options, time, logger, token).ConfigureAwait(false), options,
            options.LockWait, options.LeaseDuration, time, logger, cancellationToken)
            .ConfigureAwait(false);
    }

    private static async Task<PostgreSqlLogDevice> OpenDeviceAsync(
        PostgreSqlLogOptions options, TimeProvider time, ILogger? logger, CancellationToken cancellationToken)
    {
        var settings = new PostgreSqlDeviceSettings
        {
            Schema = options.Schema,
            Prefix = options.KeyPrefix,
            RequestTimeout = options.RequestTimeout,
            LeaseDuration = options.LeaseDuration,
            Time = time,
        };
        var isShared = options.DataSource is not null;
        var device = new PostgreSqlLogDevice(PostgreSqlDataSources.Of(options), settings, ownsSource: !isShared);
        try
        {
            // Who only looks may be at a standby.
            await device.Tables.PrepareAsync(
                options.CreateSchema && logger is not null, mayBeStandby: logger is null, logger, cancellationToken)
                .ConfigureAwait(false);
            if (logger is not null) await device.Sessions.CheckAsync(logger, cancellationToken).ConfigureAwait(false);
            return device;
        }
        catch
        {
            await device.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }
}
