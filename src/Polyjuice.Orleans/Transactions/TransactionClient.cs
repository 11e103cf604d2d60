using System.Collections.Concurrent;
using Orleans;
using Orleans.Runtime;
using Orleans.Transactions;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Silos;
using OrleansContext = Orleans.Transactions.TransactionContext;

namespace Polyjuice.Orleans.Transactions;

/// <summary>
/// Transactions that code of a silo starts itself. Orleans' own client keeps
/// the ambient transaction, because nobody else may; the engine runs around it.
/// </summary>
internal sealed class TransactionClient(
    ITransactionClient inner, GrainEngines engines, SiloLimits limits, TransactionAdmission admission,
    TransactionFailures failures, IGrainContextAccessor running) : TransactionClientBase
{
    /// <summary>The type of transactions that were started without a name.</summary>
    public const string Unnamed = "Client";

    private static readonly ConcurrentDictionary<string, GrainMethod> s_methods = new(StringComparer.Ordinal);

    /// <inheritdoc/>
    public override async Task RunTransaction(
        TransactionOption transactionOption, Func<Task<bool>> transactionDelegate, bool useExclusiveLock)
    {
        ArgumentNullException.ThrowIfNull(transactionDelegate);
        var ambient = OrleansContext.GetTransactionInfo();
        var starts = transactionOption == TransactionOption.Create
            || (transactionOption == TransactionOption.CreateOrJoin && ambient is null);
        if (!starts)
        {
            // Orleans puts what comes of the delegate into it.
            if (ambient is not null) TransactionInfos.Complete(ambient);
            await inner.RunTransaction(transactionOption, transactionDelegate, useExclusiveLock);
            return;
        }

        if (IdempotencyKey.Current is not null) throw CanHaveNoKey();
        await failures.Watch(RunAsync(Unnamed, transactionDelegate, useExclusiveLock), Unnamed);
    }

    /// <summary>
    /// A transaction that is no call has neither a grain that its key is for, nor arguments to know it by.
    /// </summary>
    public static NotSupportedException CanHaveNoKey() => new(
        "A transaction that RunTransaction() starts can't have an idempotency key. Make it a grain method with "
        + "[Transaction(TransactionOption.Create)], and call that one with the key.");

    /// <summary>Runs a delegate in a new transaction of a type; it commits if the delegate returns true.</summary>
    /// <param name="name">The type.</param>
    /// <param name="transactionDelegate">What runs.</param>
    /// <param name="useExclusiveLock">Whether reads count as updates.</param>
    /// <param name="timeout">Its time, in microseconds, if that is not the silo's.</param>
    public async Task RunAsync(
        string name, Func<Task<bool>> transactionDelegate, bool useExclusiveLock, long? timeout = null)
    {
        // The delegate may access the states of the grain whose code this
        // is: in a call, transactional or not, in a timer, in a reminder.
        var grain = CallScope.Current?.Grain ?? running.GrainContext;

        // Within another transaction it must not wait for others, which may wait for that one.
        var request = new TransactionRequest
        {
            Type = name,
            TimeoutMicroseconds = timeout ?? limits.TransactionTimeout(null),
            MayWaitToStart = CallScope.Current is null,
            AllowsReconnaissance = false,
            SinceMicroseconds = CallAge.Take(),
        };
        var entering = admission.EnterAsync(request.MayWaitToStart, request.SinceMicroseconds, CancellationToken.None);
        if (await entering is not { } waited) throw admission.Overloaded();
        try
        {
            await admission.RunAsync(
                new DelegateRun(
                    engines.Of(grain), grain,
                    () => inner.RunTransaction(TransactionOption.Create, transactionDelegate, useExclusiveLock)),
                request,
                waited,
                s_methods.GetOrAdd(name, static text => new(text)),
                CancellationToken.None);
        }
        catch (OrleansTransactionAbortedException exception) when (exception.InnerException is DeclinedException)
        {
            // The delegate asked for the abort, so it is no failure.
        }
        finally
        {
            admission.Leave(request.MayWaitToStart);
        }
    }

    /// <summary>The delegate's transaction.</summary>
    private sealed class DelegateRun(SiloEngine engine, IGrainContext? grain, Func<Task> body) : RootRun(engine, grain)
    {
        protected override async ValueTask RunBodyAsync(CallScope scope, int earlier) => await body();
    }
}
