using System.Diagnostics.Metrics;
using Orleans.Runtime;
using Orleans.Transactions;
using Polyjuice.Diagnostics;
using Polyjuice.Orleans.Calls;

namespace Polyjuice.Orleans.Transactions;

/// <summary>
/// Counts the transactions of this process's callers that have failed for good, where their callers hear of it: each
/// once, on a silo or in a client, also those that no silo has begun. Thread-safe.
/// </summary>
internal sealed class TransactionFailures : IDisposable
{
    private readonly Meter _meter;
    private readonly Counter<long> _failures;

    /// <param name="meters">The host's, if it has one.</param>
    public TransactionFailures(IMeterFactory? meters = null)
    {
        _meter = PolyjuiceMeter.Of(meters);
        _failures = _meter.CreateCounter<long>(
            "polyjuice.transaction.failures", "{transaction}",
            "Transactions that this process has asked for and that have failed for good, by reason and type.");
    }

    /// <summary>Counts how a call ends that starts a transaction. Costs nothing where nobody wants to know.</summary>
    /// <param name="sent">The call, under way.</param>
    /// <param name="context">Where its answer comes.</param>
    /// <param name="request">What is called.</param>
    public Task Watch(Task sent, IOutgoingGrainCallContext context, TransactionRequestBase request) =>
        _failures.Enabled ? WatchAsync(sent, context, request) : sent;

    /// <summary>The same for a transaction that is no call.</summary>
    /// <param name="run">It, under way.</param>
    /// <param name="type">Its type.</param>
    public Task Watch(Task run, string type) => _failures.Enabled ? WatchAsync(run, type) : run;

    /// <inheritdoc/>
    public void Dispose() => _meter.Dispose();

    private async Task WatchAsync(Task sent, IOutgoingGrainCallContext context, TransactionRequestBase request)
    {
        try
        {
            await sent;
        }
        catch (Exception exception)
        {
            Count(exception, TypeOf(request));
            throw;
        }

        if (context.Response?.Exception is { } answer) Count(answer, TypeOf(request));
    }

    private async Task WatchAsync(Task run, string type)
    {
        try
        {
            await run;
        }
        catch (Exception exception)
        {
            Count(exception, type);
            throw;
        }
    }

    private void Count(Exception exception, string type)
    {
        if (FailureReason.Of(exception) is { } reason) _failures.Add(1, new("reason", reason), new("type", type));
    }

    private static string TypeOf(TransactionRequestBase request) => TransactionalMethod.Of(request).Element.Name;
}
