using Polyjuice.Storage;

namespace Polyjuice.Tests.Storage.Rows;

/// <summary>A row of which a test says how the next stores fail.</summary>
internal sealed class FlakyRow<T>(IRowStore<T> row) : IRowStore<T> where T : class
{
    /// <summary>How the next stores end; those after work.</summary>
    public Queue<Failure> Failures { get; } = [];

    /// <summary>What was asked for, stores that failed included.</summary>
    public List<(IReadOnlyList<RowPendingState<T>> Prepare, long? CommitUpTo, long? AbortAfter)> Stores { get; } = [];

    /// <summary>So many loads fail.</summary>
    public int FailingLoads { get; set; }

    public ValueTask<RowContent<T>> LoadAsync(CancellationToken cancellationToken)
    {
        if (FailingLoads == 0) return row.LoadAsync(cancellationToken);
        FailingLoads--;
        throw new IOException("The row could not be loaded (test).");
    }

    public async ValueTask<string> StoreAsync(
        string? expectedETag, RowMetadata metadata, IReadOnlyList<RowPendingState<T>> statesToPrepare, long? commitUpTo,
        long? abortAfter, CancellationToken cancellationToken)
    {
        Stores.Add((statesToPrepare, commitUpTo, abortAfter));
        if (!Failures.TryDequeue(out var failure))
            return await row.StoreAsync(
                expectedETag, metadata, statesToPrepare, commitUpTo, abortAfter, cancellationToken);
        if (failure == Failure.After)
            await row.StoreAsync(expectedETag, metadata, statesToPrepare, commitUpTo, abortAfter, cancellationToken);
        if (failure == Failure.HalfWay)
        {
            var content = await row.LoadAsync(cancellationToken);
            await row.StoreAsync(expectedETag, content.Metadata, statesToPrepare, null, abortAfter, cancellationToken);
        }

        throw new IOException("The row could not be stored (test).");
    }

    internal enum Failure
    {
        Before,
        After,
        HalfWay,
    }
}
