namespace Polyjuice.Storage;

/// <summary>
/// One transactional state of one grain in a row of its own, of the shape of Orleans'
/// <c>ITransactionalStateStorage&lt;TState&gt;</c>: a committed state, prepared states on top of it in the order of
/// their sequence numbers, and metadata. Slower than a log, which writes for many states at once; it is there so that
/// existing providers, and the rows in them, go on working.
/// </summary>
/// <remarks>
/// One engine uses an instance at a time, one call after the other. Nothing that is given or returned is changed
/// afterwards by either side. Awaits may complete on any thread.
/// </remarks>
/// <typeparam name="T">The state type.</typeparam>
internal interface IRowStore<T> where T : class
{
    /// <summary>
    /// What is durable now: one coherent snapshot, never a mixture of two versions, and never what a cache remembers.
    /// It is called at the start, and after every <see cref="StoreAsync"/> that threw, before the next one.
    /// </summary>
    /// <param name="cancellationToken">Gives up.</param>
    ValueTask<RowContent<T>> LoadAsync(CancellationToken cancellationToken);

    /// <summary>
    /// Changes the row, if it still is the one of <paramref name="expectedETag"/>; that is the only fence against a
    /// rival. When this returns, all of it is durable. <em>When it throws</em>, none, some or all of it may be durable,
    /// or may become so later: the engine loads the row and finds out. Whatever part that is, it changes the ETag;
    /// metadata and the committed sequence number change together, after the removal and addition of prepared states,
    /// and before obsolete ones are removed.
    /// </summary>
    /// <param name="expectedETag">
    /// The ETag of the last load or successful store; <see langword="null"/> when there was no row.
    /// </param>
    /// <param name="metadata">Replaces what is there.</param>
    /// <param name="statesToPrepare">
    /// Prepared states to add, or to replace by sequence number,
    /// ascending; none is above <paramref name="abortAfter"/>.
    /// </param>
    /// <param name="commitUpTo">
    /// The prepared state with this number, stored now or before,
    /// becomes the committed one; those at or below it are obsolete.
    /// </param>
    /// <param name="abortAfter">Prepared states with higher numbers are removed.</param>
    /// <param name="cancellationToken">Gives up; the effect is then unknown.</param>
    /// <returns>The new ETag.</returns>
    ValueTask<string> StoreAsync(
        string? expectedETag, RowMetadata metadata, IReadOnlyList<RowPendingState<T>> statesToPrepare, long? commitUpTo,
        long? abortAfter, CancellationToken cancellationToken);
}

/// <summary>Where rows are kept. Shared by every node; thread-safe.</summary>
internal interface IRowStoreProvider
{
    /// <summary>The row of one state of one grain, which need not exist.</summary>
    /// <param name="grain">The grain's identity as text.</param>
    /// <param name="state">The state's name within the grain.</param>
    /// <typeparam name="T">The state type.</typeparam>
    IRowStore<T> Open<T>(string grain, string state) where T : class;
}
