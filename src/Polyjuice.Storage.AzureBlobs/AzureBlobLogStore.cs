using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Logging;
using Orleans.Configuration;

namespace Polyjuice.Storage.AzureBlobs;

/// <summary>Logs in a container of Azure Storage.</summary>
internal static class AzureBlobLogStore
{
    /// <summary>
    /// Opens the logs in a container, or creates them there, and the container too if that is allowed. See
    /// <see cref="SegmentedLogStore.OpenAsync"/> for what else it throws.
    /// </summary>
    /// <param name="options">The container, and how logs are kept there.</param>
    /// <param name="logger">Where it says what it found.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="ValidationException">
    /// An option is missing or out of its bounds; the message names it.
    /// </exception>
    /// <exception cref="LogDeviceLockedException">
    /// Another process uses them, and did for all of <see cref="AzureBlobLogOptions.LockWait"/>.
    /// </exception>
    /// <exception cref="IOException">
    /// The account can't be reached, or there is no container; the message says which, and what to do.
    /// </exception>
    /// <exception cref="UnauthorizedAccessException">This process may not.</exception>
    public static Task<SegmentedLogStore> OpenAsync(
        AzureBlobLogOptions options, ILogger logger, CancellationToken cancellationToken) =>
        OpenAsync(options, TimeProvider.System, logger, cancellationToken);

    /// <summary>
    /// The container to look at: nothing is created or locked, and other processes may use the logs meanwhile.
    /// </summary>
    internal static async Task<AzureBlobLogDevice> OpenToLookAsync(
        AzureBlobLogOptions options, CancellationToken cancellationToken)
    {
        AzureBlobLogOptionsValidator.Instance.CheckToLook(options);
        var device = new AzureBlobLogDevice(
            BlobClients.Container(options), new AzureBlobDeviceSettings { KeyPrefix = options.KeyPrefix });
        await device.PrepareAsync(create: false, cancellationToken).ConfigureAwait(false);
        return device;
    }

    internal static async Task<SegmentedLogStore> OpenAsync(
        AzureBlobLogOptions options, TimeProvider time, ILogger logger, CancellationToken cancellationToken)
    {
        AzureBlobLogOptionsValidator.Instance.Check(options);
        var container = BlobClients.Container(options);
        var settings = new AzureBlobDeviceSettings
        {
            KeyPrefix = options.KeyPrefix, LeaseDuration = options.LeaseDuration, Time = time
        };
        await new AzureBlobLogDevice(container, settings).PrepareAsync(options.CreateContainer, cancellationToken)
            .ConfigureAwait(false);
        return await LockedLogs.OpenAsync(
            _ => Task.FromResult<ILogDevice>(new AzureBlobLogDevice(container, settings)), options,
            options.LockWait, options.LeaseDuration, time, logger, cancellationToken).ConfigureAwait(false);
    }
}
