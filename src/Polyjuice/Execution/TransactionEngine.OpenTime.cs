using Polyjuice.Diagnostics.Spans;

namespace Polyjuice.Execution;

// How long transactions are open: with the commits of the same time it says how long one takes, those included that get nowhere (Little's law).
internal sealed partial class TransactionEngine
{
    private int _open;
    private long _openCountedTo;

    /// <summary>A transaction begins. What it has waited before that counts as well: where processors are what is short it waits there most of all, and then the way of letting transactions in that has the fewest begin would look quickest.</summary>
    private void Opened(ITransactionBody body)
    {
        CountOpenTime();
        _open++;
        if (body.WaitedForSince is > 0 and var since) Statistics.OpenMicroseconds += Math.Max(0, _openCountedTo - since);
    }

    /// <summary>The last word on a transaction.</summary>
    private void Completed(TransactionRequest request, ITransactionBody body, Exception? failure)
    {
        CountOpenTime();
        _open--;
        if (request is TracedRequest { Span: var span }) span.End(failure, request.WaitedMicroseconds, Now);
        body.Completed(failure);
    }

    private void CountOpenTime()
    {
        var now = Host.RecentMicroseconds;
        if (now <= _openCountedTo) return;
        Statistics.OpenMicroseconds += _open * (now - _openCountedTo);
        _openCountedTo = now;
    }
}
