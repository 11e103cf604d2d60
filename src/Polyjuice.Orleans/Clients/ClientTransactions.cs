using System.Diagnostics;
using System.Runtime.ExceptionServices;
using Orleans;
using Orleans.Runtime;
using Orleans.Serialization;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Transactions;

namespace Polyjuice.Orleans.Clients;

/// <summary>Transactions that a client of the cluster runs. Its delegate may run more than once. Thread-safe.</summary>
internal sealed class ClientTransactions(IGrainFactory grains, Serializer serializer, TransactionFailures failures)
    : TransactionClientBase
{
    /// <inheritdoc/>
    public override Task RunTransaction(
        TransactionOption transactionOption, Func<Task<bool>> transactionDelegate, bool useExclusiveLock)
    {
        ArgumentNullException.ThrowIfNull(transactionDelegate);
        var ambient = ClientScope.Current;
        return transactionOption switch
        {
            TransactionOption.Create => StartAsync(),
            TransactionOption.CreateOrJoin when ambient is null => StartAsync(),
            TransactionOption.Join when ambient is null =>
                throw new NotSupportedException("Delegate cannot be executed outside of a transaction."),
            TransactionOption.Suppress or TransactionOption.NotAllowed when ambient is not null =>
                throw new NotSupportedException("Delegate cannot be executed within a transaction."),
            TransactionOption.CreateOrJoin or TransactionOption.Join
                or TransactionOption.Supported when ambient is not null =>
                JoinAsync(ambient, transactionDelegate),
            TransactionOption.Supported or TransactionOption.Suppress or TransactionOption.NotAllowed =>
                transactionDelegate(),
            _ => throw new ArgumentOutOfRangeException(
                nameof(transactionOption), transactionOption, "There is no such option."),
        };

        Task StartAsync() => IdempotencyKey.Current is not null
            ? throw TransactionClient.CanHaveNoKey()
            : failures.Watch(RunAsync(transactionDelegate, useExclusiveLock), TransactionClient.Unnamed);
    }

    private static async Task JoinAsync(ClientScope ambient, Func<Task<bool>> transactionDelegate)
    {
        if (!await transactionDelegate()) ambient.IsDeclined = true;
    }

    // Whose silo has gone before the transaction could commit begins again on another one, as often and after such
    // pauses as a call that starts a transaction, and as that within the time of one.
    private async Task RunAsync(Func<Task<bool>> transactionDelegate, bool useExclusiveLock)
    {
        var pause = RootCall.Pause;
        var (since, began) = (CallAge.Now, Stopwatch.GetTimestamp());
        for (var repeats = 0; ; repeats++)
        {
            if (repeats > 0) CallAge.Carry(since);
            try
            {
                var spent = repeats == 0 ? TimeSpan.Zero : Stopwatch.GetElapsedTime(began);
                await RunOnceAsync(transactionDelegate, useExclusiveLock, spent);
                return;
            }
            catch (TransactionLostException) when (repeats < RootCall.RepeatsMax)
            {
                await Task.Delay(pause);
                pause *= 4;
            }
            catch (TransactionLostException lost)
            {
                ExceptionDispatchInfo.Throw(lost.InnerException!);
            }
        }
    }

    private async Task RunOnceAsync(Func<Task<bool>> transactionDelegate, bool useExclusiveLock, TimeSpan spent)
    {
        var outer = ClientScope.Current;
        var transaction = grains.GetGrain<IClientTransactionGrain>(Guid.NewGuid());
        for (var attempt = await AskAsync(
            transaction.Start(TransactionClient.Unnamed, useExclusiveLock, spent), isEnd: false); attempt != 0;)
        {
            var scope = ClientScope.Current = new ClientScope(transaction, attempt);
            var commits = false;
            Exception? failure = null;
            try
            {
                commits = await transactionDelegate();
            }
            catch (Exception exception)
            {
                failure = exception;
            }

            ClientScope.Current = outer;
            attempt = await EndAsync(transaction, attempt, commits && !scope.IsDeclined, failure);
        }
    }

    private async Task<int> EndAsync(IClientTransactionGrain transaction, int attempt, bool commits, Exception? failure)
    {
        var sent = new SentCall(CallNumber.Next());
        try
        {
            return await AskAsync(
                transaction.End(attempt, commits, ClientFailureException.Of(failure, serializer), sent), isEnd: true);
        }
        catch (TransactionLostException lost) when (commits && sent.MayHaveRun(lost.InnerException!))
        {
            throw new OrleansTransactionInDoubtException(
                transaction.GetPrimaryKey().ToString(),
                "The end of the transaction was sent again, because a connection broke while it was sent. The second "
                + "copy has failed; by the first one it may have committed.",
                lost.InnerException);
        }
        catch (OrleansTransactionAbortedException aborted)
            when (failure is not null && aborted.InnerException is ClientFailureException)
        {
            throw new OrleansTransactionAbortedException(aborted.TransactionId, aborted.Message, failure);
        }
    }

    private static async Task<int> AskAsync(Task<int> answer, bool isEnd)
    {
        try
        {
            return await answer;
        }
        catch (Exception exception) when (IsLost(exception, isEnd))
        {
            throw new TransactionLostException(exception);
        }
        catch (OrleansException exception) when (!isEnd && exception is not OrleansTransactionException)
        {
            // The grain could not be placed, or not be activated: by a silo, say, that the others have declared dead.
            // Nothing of it has run.
            throw new TransactionLostException(new OrleansStartTransactionFailedException(exception));
        }
    }

    // Not when its silo has become unavailable while it was to end: it may have committed. And a silo that has too much
    // to do is left alone.
    private static bool IsLost(Exception exception, bool isEnd) => exception switch
    {
        TransactionConflictException conflict => conflict.Reason == AbortReason.Shutdown,
        OrleansMessageRejectionException when !isEnd => true,
        _ => CallFailures.HasNotRun(exception) && !CallFailures.IsOverload(exception),
    };

    /// <summary>The silo that ran a transaction has gone, and nothing has been committed.</summary>
    private sealed class TransactionLostException(Exception cause) : Exception(cause.Message, cause);
}
