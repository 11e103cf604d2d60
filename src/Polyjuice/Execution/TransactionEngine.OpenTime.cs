namespace Polyjuice.Execution;

// How long transactions are open: with the commits of the same time it says how long one takes, those included that get nowhere (Little's law).
public sealed partial class TransactionEngine
{
    private int _open;
    private long _openCountedTo;

    private void Opened()
    {
        CountOpenTime();
        _open++;
    }

    /// <summary>The last word on a transaction.</summary>
    private void Completed(ITransactionBody body, Exception? failure)
    {
        CountOpenTime();
        _open--;
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
