using Microsoft.Extensions.Logging;

namespace Polyjuice.Storage;

/// <summary>
/// One partition's log in segments on a device. What decides is the device: an append goes to an exact offset of the last segment, so that of two rivals, in whatever processes,
/// one finds the place taken, reads what is there, and knows. Everything here is on the log's own <see cref="SerialContext"/>, one operation at a time.
/// </summary>
internal sealed partial class SegmentedLog : IPartitionLog
{
    private readonly ILogDevice _device;
    private readonly LogIdentity _identity;
    private readonly SegmentedLogOptions _options;
    private readonly SerialContext _context;
    private readonly CancellationToken _lockLost;
    private readonly ILogger _logger;
    private Task _turn = Task.CompletedTask;

    public SegmentedLog(ILogDevice device, LogIdentity identity, SegmentedLogOptions options, SerialContext context, CancellationToken lockLost, ILogger logger)
    {
        _device = device;
        _identity = identity;
        _options = options;
        _context = context;
        _lockLost = lockLost;
        _logger = logger;
    }

    /// <inheritdoc/>
    public bool TakesCheckpoints => true;

    /// <inheritdoc/>
    public string Location => _device.Location;

    /// <inheritdoc/>
    public ValueTask<AppendResult> AppendAsync(long position, BatchId batchId, ReadOnlyMemory<byte> batch, CancellationToken cancellationToken) =>
        new(InTurnAsync(() => AppendCoreAsync(null, position, batchId, batch, cancellationToken), cancellationToken));

    /// <inheritdoc/>
    public int AppendsUnderWayMax { get; init; } = 1;

    /// <inheritdoc/>
    public ValueTask<AppendResult> AppendBehindAsync(BatchId behind, long position, BatchId batchId, ReadOnlyMemory<byte> batch, CancellationToken cancellationToken) =>
        new(InTurnAsync(() => AppendCoreAsync(behind, position, batchId, batch, cancellationToken), cancellationToken));

    /// <inheritdoc/>
    public ValueTask<long> GetEndAsync(CancellationToken cancellationToken) => new(InTurnAsync(
        async () =>
        {
            await CatchUpAsync(cancellationToken);
            return _end.Position;
        },
        cancellationToken));

    /// <summary>One operation after the other: what one has found out holds until it is done.</summary>
    private Task<T> InTurnAsync<T>(Func<Task<T>> operation, CancellationToken cancellationToken) => _context.RunAsync(async () =>
    {
        var before = _turn;
        var done = new TaskCompletionSource();
        _turn = done.Task;
        try
        {
            await before;
            cancellationToken.ThrowIfCancellationRequested();
            return await operation();
        }
        finally
        {
            done.SetResult();
        }
    });
}
