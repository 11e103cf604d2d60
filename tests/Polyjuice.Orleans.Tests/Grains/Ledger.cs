using Orleans;
using Orleans.Concurrency;
using Orleans.Runtime;
using Orleans.Streams;
using Orleans.Streams.Core;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Orleans.Tests.Grains;

/// <summary>Starts transactions over its own state from every place from which Orleans runs a grain's code.</summary>
public interface ILedger : IGrainWithGuidKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<string[]> Read();

    /// <summary>Completes when a stream's item has been written.</summary>
    [AlwaysInterleave]
    Task<string?> Streamed();

    Task Leave();
}

[Reentrant]
[ImplicitStreamSubscription(Stream)]
public sealed class LedgerGrain(
    [TransactionalState("lines")] ITransactionalState<Note> lines, ITransactionClient transactions, LedgerEnds ends)
    : Grain, ILedger, IRemindable, IStreamSubscriptionObserver, IAsyncObserver<string>
{
    public const string Stream = "ledger";

    private readonly TaskCompletionSource<string?> _streamed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public override Task OnActivateAsync(CancellationToken cancellationToken) => Write("activated");

    public override async Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken)
    {
        try
        {
            await Write("deactivated");
            ends.Ended.TrySetResult(null);
        }
        catch (Exception exception)
        {
            ends.Ended.TrySetResult(exception);
        }
    }

    public Task ReceiveReminder(string reminderName, TickStatus status) => Write("reminded");

    public async Task OnSubscribed(IStreamSubscriptionHandleFactory handleFactory) =>
        await handleFactory.Create<string>().ResumeAsync(this);

    public async Task OnNextAsync(string item, StreamSequenceToken? token = null)
    {
        try
        {
            await Write(item);
            _streamed.TrySetResult(null);
        }
        catch (Exception exception)
        {
            _streamed.TrySetResult(exception.ToString());
        }
    }

    public Task OnErrorAsync(Exception ex)
    {
        _streamed.TrySetResult(ex.ToString());
        return Task.CompletedTask;
    }

    public Task<string?> Streamed() => _streamed.Task;

    public Task<string[]> Read() => lines.PerformRead(state => state.Lines.ToArray());

    public Task Leave()
    {
        DeactivateOnIdle();
        return Task.CompletedTask;
    }

    private Task Write(string line) =>
        transactions.RunTransaction(
            TransactionOption.Create, () => lines.PerformUpdate(state => state.Lines.Add(line)));
}

/// <summary>How the deactivation's transaction ended.</summary>
public sealed class LedgerEnds
{
    public TaskCompletionSource<Exception?> Ended { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
}
