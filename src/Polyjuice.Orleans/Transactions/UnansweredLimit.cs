namespace Polyjuice.Orleans.Transactions;

/// <summary>
/// How many calls that start a transaction a process sends before the first of them is answered, which it finds out: as
/// many as keep a short queue at the silos. What waits at a silo costs a message, a request and its context, on the
/// silo and here; what waits here costs one small object.
/// </summary>
/// <remarks>
/// A silo marks the answers of transactions that have waited there for longer than <see cref="LongWait"/>. Each mark
/// lowers the limit by a sixteenth of one, and each answer without a mark raises it by as much if as many are
/// unanswered as may be; so in one round trip it moves by a sixteenth. Until the first mark an unmarked answer raises
/// it by one, and it doubles in a round trip. This is how DCTCP goes by the marks of a switch whose queue is longer
/// than a threshold (Alizadeh et al., "Data Center TCP", SIGCOMM 2010), with steps of a fixed size. Not thread-safe.
/// </remarks>
internal sealed class UnansweredLimit : IPlaceLimit
{
    /// <summary>The limit at first: as many as two silos' processors may begin with at a time.</summary>
    public const int First = 256;

    /// <summary>Marks do not lower it below this.</summary>
    public const int Least = 64;

    // Of one, for each answer.
    private const double Step = 1.0 / 16;

    // Looks without an answer that says anything. What is unanswered may wait for what is held.
    private const int SilentLooks = 20;

    private double _value = First;
    private bool _isMarked;
    private int _silent;

    /// <summary>A transaction that has waited at its silo for as long has a marked answer.</summary>
    public static TimeSpan LongWait { get; } = TimeSpan.FromMilliseconds(50);

    /// <inheritdoc/>
    public int Value => (int)Volatile.Read(ref _value);

    /// <summary>Whether an answer was marked: before, it is still to be found out how much silos take.</summary>
    public bool MayRefuse => _isMarked;

    /// <inheritdoc/>
    public void Answered(int open, bool hasWaited)
    {
        _silent = 0;
        if (hasWaited)
        {
            _isMarked = true;
            Set(Math.Max(Least, _value - Step));
        }
        else if (open >= Value)
        {
            Set(_value + (_isMarked ? Step : 1));
        }
    }

    /// <inheritdoc/>
    public void Adapt(int open, double perSecond, int ended)
    {
        if (++_silent < SilentLooks) return;
        _silent = 0;
        if (open >= Value) Set(_value + (_value * Step));
    }

    /// <summary>What comes next may find other silos: it rises fast again, and from no more than at first.</summary>
    /// <param name="open">How many are open.</param>
    public void Rest(int open)
    {
        if (open >= First) return;
        _isMarked = false;
        Set(Math.Min(_value, First));
    }

    private void Set(double value) => Volatile.Write(ref _value, value);
}
