using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Logging;

namespace Polyjuice.Storage;

/// <summary>
/// The logs of all partitions in segments on a device (files, blobs, …). Thread-safe. Disposing it ends its threads,
/// gives the device's lock back and disposes the device; what is durable stays.
/// </summary>
internal sealed class SegmentedLogStore : ILogStore, ILogNotes, IAsyncDisposable
{
    private const int ThreadsMax = 16;
    private readonly ILogDevice _device;
    private readonly ILogDeviceLock? _lock;
    private readonly IoThreads? _threads;
    private readonly SegmentedLog[] _logs;
    private readonly DeviceNotes _notes;
    private bool _isDisposed;

    private SegmentedLogStore(
        ILogDevice device, ILogDeviceLock? deviceLock, StoreManifest manifest, SegmentedLogOptions options,
        ILogger logger)
    {
        _device = device;
        _lock = deviceLock;
        _notes = new DeviceNotes(device);

        Identity = manifest.Identify(isAlone: deviceLock is not null && options.StoreNumber is null);
        _logs = new SegmentedLog[manifest.Partitions];
        var threads = options.Threads > 0 ? options.Threads : Math.Min((manifest.Partitions + 1) / 2, ThreadsMax);
        var appends = options.AppendsUnderWay > 0 ? options.AppendsUnderWay : threads >= manifest.Partitions ? 2 : 1;
        if (options.Runner is null) _threads = new IoThreads(threads);
        var run = options.Runner ?? _threads!.Post;
        for (var partition = 0; partition < _logs.Length; partition++)
        {
            var identity = new LogIdentity(manifest.Store, partition, manifest.Partitions);
            _logs[partition] = new SegmentedLog(
                device, identity, options, new SerialContext(run), deviceLock?.Lost ?? CancellationToken.None, logger)
            {
                AppendsUnderWayMax = appends
            };
        }
    }

    /// <inheritdoc/>
    public int PartitionCount => _logs.Length;

    /// <inheritdoc/>
    public string Identity { get; }

    /// <summary>Where the logs are, for messages.</summary>
    public string Location => _device.Location;

    /// <summary>
    /// Opens the logs on a device, or creates them there. The store takes
    /// the device over: it is disposed with the store, or when this throws.
    /// </summary>
    /// <param name="device">Where.</param>
    /// <param name="options">How.</param>
    /// <param name="logger">Where it says what it found.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="ValidationException">An option is out of its bounds.</exception>
    /// <exception cref="LogDeviceLockedException">Another process uses them.</exception>
    /// <exception cref="LogUnusableException">
    /// They are damaged, of a newer version, or have another number of partitions than was asked for.
    /// </exception>
    public static async Task<SegmentedLogStore> OpenAsync(
        ILogDevice device, SegmentedLogOptions options, ILogger logger, CancellationToken cancellationToken)
    {
        ILogDeviceLock? taken = null;
        try
        {
            Validator.ValidateObject(options, new ValidationContext(options), validateAllProperties: true);
            if (options.Lock || device.MayTear) taken = await device.LockAsync(options.Holder, cancellationToken);
            var manifest = await StoreManifest.ReadOrCreateAsync(
                device, options.Partitions > 0 ? options.Partitions : options.NewPartitions, options.StoreNumber,
                cancellationToken);
            if (options.Partitions > 0 && options.Partitions != manifest.Partitions)
            {
                throw new LogUnusableException(
                    $"The logs in {device.Location} were created with {manifest.Partitions} partition(s), and "
                    + $"{options.Partitions} were asked for. The number can't be changed: leave it out, or use "
                    + "another place.");
            }

            if (options.NewPartitionsAskedFor is { } asked && asked != manifest.Partitions)
                StorageLog.OtherNewPartitions(logger, device.Location, manifest.Partitions, asked);
            StorageLog.Opened(logger, device.Location, manifest.Partitions);
            return new SegmentedLogStore(device, taken, manifest, options, logger);
        }
        catch
        {
            await device.DisposeAsync();
            if (taken is not null) await taken.DisposeAsync();
            throw;
        }
    }

    /// <inheritdoc/>
    public IPartitionLog Open(int partition) => _logs[partition];

    /// <inheritdoc/>
    public ValueTask<LogNote?> ReadNoteAsync(string name, CancellationToken cancellationToken) =>
        _notes.ReadNoteAsync(name, cancellationToken);

    /// <inheritdoc/>
    public ValueTask<bool> WriteNoteAsync(
        string name, long number, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        _notes.WriteNoteAsync(name, number, content, cancellationToken);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (_isDisposed) return;
        _isDisposed = true;
        _threads?.Dispose();

        // The device first: what it still does to its segments must not come after whoever takes them over.
        await _device.DisposeAsync();
        if (_lock is not null) await _lock.DisposeAsync();
    }
}
