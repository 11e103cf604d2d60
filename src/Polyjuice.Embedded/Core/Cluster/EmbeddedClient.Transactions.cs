using System.Collections.Concurrent;
using Orleans;
using Orleans.Transactions;
using Polyjuice.Embedded.Core;
using Polyjuice.Execution;

namespace Polyjuice.Embedded;

public sealed partial class EmbeddedClient
{
    /// <summary>The type of transactions that were started without a name.</summary>
    public const string UnnamedTransaction = "Client";

    private readonly ConcurrentDictionary<string, GrainMethod> _names = new(StringComparer.Ordinal);

    /// <inheritdoc/>
    public Task RunTransaction(TransactionOption transactionOption, Func<Task> transactionDelegate) =>
        RunTransaction(UnnamedTransaction, transactionOption, transactionDelegate);

    /// <inheritdoc/>
    public Task RunTransaction(TransactionOption transactionOption, Func<Task<bool>> transactionDelegate) =>
        RunTransaction(UnnamedTransaction, transactionOption, transactionDelegate);

    /// <summary>Runs a delegate in a transaction of a named type, so that policies can tell it from others.</summary>
    /// <param name="name">The transaction's type; no '&gt;' and no white space.</param>
    /// <param name="transactionOption">How it relates to an ambient transaction.</param>
    /// <param name="transactionDelegate">What to run; maybe more than once.</param>
    public Task RunTransaction(string name, TransactionOption transactionOption, Func<Task> transactionDelegate)
    {
        ArgumentNullException.ThrowIfNull(transactionDelegate);
        return RunTransaction(name, transactionOption, async () =>
        {
            await transactionDelegate();
            return true;
        });
    }

    /// <summary>Runs a delegate in a transaction of a named type; it commits if the delegate returns true.</summary>
    /// <inheritdoc cref="RunTransaction(string, TransactionOption, Func{Task})"/>
    public Task RunTransaction(string name, TransactionOption transactionOption, Func<Task<bool>> transactionDelegate)
    {
        ArgumentNullException.ThrowIfNull(transactionDelegate);
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        var context = CallContext.Current;
        var isInside = context?.Frame is not null;
        return transactionOption switch
        {
            TransactionOption.Create => RunRootAsync(name, context, transactionDelegate),
            TransactionOption.CreateOrJoin when !isInside => RunRootAsync(name, context, transactionDelegate),
            TransactionOption.Join when !isInside =>
                throw new NotSupportedException("The delegate has TransactionOption.Join: it cannot be executed outside of a transaction."),
            TransactionOption.CreateOrJoin or TransactionOption.Join => JoinAsync(transactionDelegate),
            TransactionOption.Suppress or TransactionOption.NotAllowed when isInside =>
                throw new NotSupportedException($"The delegate has TransactionOption.{transactionOption}: it cannot be executed within a transaction."),
            TransactionOption.Supported when isInside => JoinAsync(transactionDelegate),
            TransactionOption.Supported or TransactionOption.Suppress or TransactionOption.NotAllowed => transactionDelegate(),
            _ => throw new ArgumentOutOfRangeException(nameof(transactionOption), transactionOption, "There is no such option."),
        };
    }

    private static async Task JoinAsync(Func<Task<bool>> transactionDelegate)
    {
        if (!await transactionDelegate()) throw new DeclinedException();
    }

    private async Task RunRootAsync(string name, CallContext? context, Func<Task<bool>> transactionDelegate)
    {
        var node = context?.Node ?? Runtime.Client;
        var method = _names.GetOrAdd(name, static text => new GrainMethod(text));
        var timeout = Math.Min(
            Runtime.EngineOptions.TransactionTimeoutMicroseconds, Durations.Microseconds(Runtime.Options.ResponseTimeout));
        var request = new TransactionRequest
        {
            Type = name, TimeoutMicroseconds = timeout, AllowsReconnaissance = false,

            // Not within another transaction, which others may wait for, nor where it keeps a grain from them.
            MayWaitToStart = context is null or { Frame: null, Activation: null or { Class.IsReentrant: true } },
        };
        try
        {
            await node.Loop.RunAsync(() => node.Engine.RunAsync(
                request,
                method,
                async frame =>
                {
                    CallContext.Current = new CallContext(node, context?.Activation, frame, context?.Values);
                    if (!await transactionDelegate()) throw new DeclinedException();
                },
                CancellationToken.None));
        }
        catch (OrleansTransactionAbortedException exception) when (exception.InnerException is DeclinedException)
        {
            // The delegate asked for the abort, so it is no failure.
        }
    }

    /// <summary>The delegate has returned false: its transaction must not commit.</summary>
    private sealed class DeclinedException() : Exception("The transaction's delegate returned false.");
}
