namespace Polyjuice.Lab.Workloads;

/// <summary>
/// What the total of all accounts must be, by what clients were told: the initial total, plus deposits and minus
/// withdrawals of acknowledged operations. An operation in doubt widens the expected total to a range. Used on one
/// thread.
/// </summary>
public sealed class MoneyBooks
{
    private long _low;
    private long _high;

    /// <summary>Operations in doubt that were booked.</summary>
    public long InDoubt { get; private set; }

    /// <summary>Books an acknowledged change of the total.</summary>
    public void Committed(long change)
    {
        _low += change;
        _high += change;
    }

    /// <summary>Books an operation that either had no effect or one between the two bounds.</summary>
    public void Unknown(long least, long most)
    {
        _low += Math.Min(0, least);
        _high += Math.Max(0, most);
        InDoubt++;
    }

    /// <summary>Compares with the total that was found.</summary>
    /// <param name="total">In the smallest unit.</param>
    /// <param name="format">How to write an amount.</param>
    public InvariantCheck Check(long total, Func<long, string> format)
    {
        var expected = _low == _high ? format(_low) : $"{format(_low)} to {format(_high)} ({InDoubt} in doubt)";
        return total >= _low && total <= _high
            ? new InvariantCheck(true, $"money conserved: {format(total)} in all accounts, as acknowledged")
            : new InvariantCheck(false, $"MONEY NOT CONSERVED: {format(total)} in all accounts, expected {expected}");
    }
}
