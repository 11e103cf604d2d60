using Orleans.Runtime;
using Orleans.Transactions.Abstractions;
using Polyjuice.Storage;

namespace Polyjuice.Orleans.Rows;

/// <summary>
/// A row of a storage provider of Orleans. The provider is called on the grain's own scheduler, as by Orleans' engine,
/// outside of the engine's turn and of every transaction.
/// </summary>
/// <param name="grain">The activation whose state it is.</param>
/// <param name="name">The state's name, for messages.</param>
/// <param name="open">Opens the provider's storage; called on the grain's scheduler.</param>
/// <param name="format">Translates.</param>
/// <param name="timeout">For one call.</param>
/// <typeparam name="T">The state type.</typeparam>
internal sealed class ProviderRow<T>(
    IGrainContext grain, string name, Func<ITransactionalStateStorage<T>> open, ProviderFormat format,
    TimeSpan timeout) : IRowStore<T>
    where T : class, new()
{
    private readonly RowGrain _own = new(grain.GrainId.ToString(), format.ReferenceTo(grain.GrainId));

    private Instance _instance = new();

    /// <inheritdoc/>
    public async ValueTask<RowContent<T>> LoadAsync(CancellationToken cancellationToken) =>
        format.Read(await CallAsync(static (storage, _) => storage.Load(), 0, cancellationToken));

    /// <inheritdoc/>
    public async ValueTask<string> StoreAsync(
        string? expectedETag, RowMetadata metadata, IReadOnlyList<RowPendingState<T>> statesToPrepare, long? commitUpTo,
        long? abortAfter, CancellationToken cancellationToken)
    {
        var etag = await CallAsync(
            static (storage, write) => storage.Store(
                write.ETag, write.Metadata, write.States, write.CommitUpTo, write.AbortAfter),
            (ETag: expectedETag, Metadata: format.Write(
                metadata,
                _own), States: format.Write(statesToPrepare, _own), CommitUpTo: commitUpTo, AbortAfter: abortAfter),
            cancellationToken);
        return etag
            ?? throw new InvalidOperationException(
                $"The storage of {grain.GrainId}.{name} has given no ETag for what it has stored.");
    }

    private async Task<TResult> CallAsync<TArgument, TResult>(
        Func<ITransactionalStateStorage<T>, TArgument, Task<TResult>> function, TArgument argument,
        CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var instance = _instance;
        var call = new Call<TArgument, TResult>(instance, open, function, argument);

        // This keeps the caller's execution context out: the ambient transaction
        // of whoever's turn it happens to be is none of the provider's business.
        grain.Scheduler.QueueAction(static state => _ = ((Call<TArgument, TResult>)state).RunAsync(), call);
        try
        {
            return await call.Result.WaitAsync(timeout, cancellationToken);
        }
        catch (Exception exception)
            when (exception is TimeoutException or OperationCanceledException && !call.Result.IsCompleted)
        {
            // The call may still end, in the storage and in this object of the provider, which nobody else must use
            // meanwhile: the next call opens one of its own.
            instance.IsAbandoned = true;
            _instance = new();
            if (exception is TimeoutException)
                throw new TimeoutException($"The storage of {grain.GrainId}.{name} has not answered within {timeout}.");
            throw;
        }
    }

    /// <summary>
    /// An object of the provider, for one call after the other. It is opened by the first, on the grain's scheduler.
    /// </summary>
    private sealed class Instance
    {
        private volatile bool _isAbandoned;

        public ITransactionalStateStorage<T>? Storage { get; set; }

        public bool IsAbandoned
        {
            get => _isAbandoned;
            set => _isAbandoned = value;
        }
    }

    private sealed class Call<TArgument, TResult>(
        Instance instance, Func<ITransactionalStateStorage<T>> open,
        Func<ITransactionalStateStorage<T>, TArgument, Task<TResult>> function, TArgument argument)
    {
        private readonly TaskCompletionSource<TResult> _result = new(
            TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<TResult> Result => _result.Task;

        public async Task RunAsync()
        {
            // Its grain was busy for so long that nobody waits for it any more.
            if (instance.IsAbandoned) return;
            try
            {
                _result.TrySetResult(await function(instance.Storage ??= open(), argument));
            }
            catch (Exception exception)
            {
                _result.TrySetException(exception);
            }
        }
    }
}
