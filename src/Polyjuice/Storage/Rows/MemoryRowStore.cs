using System.Globalization;

namespace Polyjuice.Storage;

/// <summary>Rows in this process's memory. They outlive the silos in it, and nothing else. Thread-safe.</summary>
internal sealed class MemoryRowStore : IRowStoreProvider
{
    private readonly Lock _gate = new();
    private readonly Dictionary<(string Grain, string State), object> _rows = [];
    private long _lastETag;

    /// <summary>How many rows there are.</summary>
    public int Count
    {
        get
        {
            lock (_gate) return _rows.Count;
        }
    }

    /// <inheritdoc/>
    public IRowStore<T> Open<T>(string grain, string state) where T : class => new Row<T>(this, (grain, state));

    /// <summary>
    /// What a row will hold once a store has been made, as <see cref="IRowStore{T}.StoreAsync"/> says.
    /// </summary>
    /// <param name="row">What it holds before.</param>
    /// <param name="etag">Its new ETag.</param>
    /// <param name="metadata">See there.</param>
    /// <param name="statesToPrepare">See there.</param>
    /// <param name="commitUpTo">See there.</param>
    /// <param name="abortAfter">See there.</param>
    /// <typeparam name="T">The state type.</typeparam>
    /// <exception cref="InvalidOperationException">There is no prepared state to be committed.</exception>
    public static RowContent<T> Apply<T>(
        RowContent<T> row, string etag, RowMetadata metadata, IReadOnlyList<RowPendingState<T>> statesToPrepare,
        long? commitUpTo, long? abortAfter) where T : class
    {
        var pending = Prepare(row.PendingStates, statesToPrepare, abortAfter);
        if (commitUpTo is not { } upTo || upTo <= row.CommittedSequenceId)
            return row with { ETag = etag, Metadata = metadata, PendingStates = pending };
        var committed = pending.Find(one => one.SequenceId == upTo)
            ?? throw new InvalidOperationException($"There is no prepared state {upTo} that could be committed.");
        pending.RemoveAll(one => one.SequenceId <= upTo);
        return new(etag, committed.State, upTo, metadata, pending);
    }

    /// <summary>The prepared states once some have been removed and others added.</summary>
    /// <param name="known">Those before.</param>
    /// <param name="statesToPrepare">To be added or replaced.</param>
    /// <param name="abortAfter">Higher ones go.</param>
    /// <typeparam name="T">The state type.</typeparam>
    public static List<RowPendingState<T>> Prepare<T>(
        IReadOnlyList<RowPendingState<T>> known, IReadOnlyList<RowPendingState<T>> statesToPrepare,
        long? abortAfter) where T : class =>
        [
            .. known.Where(
                one => !(one.SequenceId > abortAfter)
                    && !statesToPrepare.Any(other => other.SequenceId == one.SequenceId))
            .Concat(statesToPrepare).OrderBy(one => one.SequenceId)
        ];

    private sealed class Row<T>(MemoryRowStore rows, (string Grain, string State) key) : IRowStore<T> where T : class
    {
        public ValueTask<RowContent<T>> LoadAsync(CancellationToken cancellationToken)
        {
            cancellationToken.ThrowIfCancellationRequested();
            lock (rows._gate) return new(Content());
        }

        public ValueTask<string> StoreAsync(
            string? expectedETag, RowMetadata metadata, IReadOnlyList<RowPendingState<T>> statesToPrepare,
            long? commitUpTo, long? abortAfter, CancellationToken cancellationToken)
        {
            cancellationToken.ThrowIfCancellationRequested();
            lock (rows._gate)
            {
                var content = Content();
                if (content.ETag != expectedETag)
                    throw new InvalidOperationException(
                        $"The row {key.Grain}.{key.State} is at version {content.ETag ?? "none"}, not "
                        + $"{expectedETag ?? "none"}: somebody else has written it.");
                var etag = (++rows._lastETag).ToString(CultureInfo.InvariantCulture);
                rows._rows[key] = Apply(content, etag, metadata, statesToPrepare, commitUpTo, abortAfter);
                return new(etag);
            }
        }

        private RowContent<T> Content() =>
            rows._rows.TryGetValue(key, out var known) ? (RowContent<T>)known : RowContent<T>.None;
    }
}
