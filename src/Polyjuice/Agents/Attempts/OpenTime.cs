using Polyjuice.Agents.Spans;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// How long transactions are open: with the commits of the same time it says how long one takes, those included that
/// get nowhere (Little's law).
/// </summary>
internal sealed class OpenTime(EngineContext context)
{
    private int _open;
    private long _openCountedTo;

    /// <summary>
    /// A transaction begins. What it has waited before that counts as well: where processors are what is short it waits
    /// there most of all, and then the way of letting transactions in that has the fewest begin would look quickest.
    /// </summary>
    public void Opened(ITransactionBody body)
    {
        CountOpenTime();
        _open++;
        if (body.WaitedForSince is > 0 and var since)
            context.Statistics.OpenMicroseconds += Math.Max(0, _openCountedTo - since);
    }

    /// <summary>The last word on a transaction.</summary>
    public void Completed(TransactionRequest request, ITransactionBody body, Exception? failure)
    {
        CountOpenTime();
        _open--;
        if (request is TracedRequest { Span: var span }) span.End(failure, request.WaitedMicroseconds, context.Now);
        body.Completed(failure);
    }

    public void CountOpenTime()
    {
        var now = context.Host.RecentMicroseconds;
        if (now <= _openCountedTo) return;
        context.Statistics.OpenMicroseconds += _open * (now - _openCountedTo);
        _openCountedTo = now;
    }
}
