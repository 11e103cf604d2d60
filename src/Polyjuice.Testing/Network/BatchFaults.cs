namespace Polyjuice.Testing;

/// <summary>
/// What happens to the batches that silos' engines send each other. It may be changed at any time and takes effect at
/// the next batch. Thread-safe.
/// </summary>
public sealed class BatchFaults
{
    private static readonly TimeSpan s_holdMax = TimeSpan.FromSeconds(10);

    private readonly Lock _gate = new();
    private readonly Random _random;
    private BatchFaultCounts _counts;
    private double _loss;
    private double _duplication;
    private double _reordering;
    private TimeSpan _hold = TimeSpan.FromMilliseconds(50);

    internal BatchFaults(int seed) => _random = new(seed);

    /// <summary>The share of batches that are lost. Default 0; 0 to 1.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is out of its bounds.</exception>
    public double Loss { get => Read(ref _loss); set => Write(ref _loss, Share.Of(value)); }

    /// <summary>
    /// The share of batches that come twice, the second time later by up to <see cref="HeldUpTo"/>. Default 0; 0 to 1.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">It is out of its bounds.</exception>
    public double Duplication { get => Read(ref _duplication); set => Write(ref _duplication, Share.Of(value)); }

    /// <summary>
    /// The share of batches that are held back by up to
    /// <see cref="HeldUpTo"/>, so that later ones overtake. Default 0; 0 to 1.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">It is out of its bounds.</exception>
    public double Reordering { get => Read(ref _reordering); set => Write(ref _reordering, Share.Of(value)); }

    /// <summary>How long a batch is held back at the most. Default 50 ms; 1 ms to 10 s.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is out of its bounds.</exception>
    public TimeSpan HeldUpTo
    {
        get => Read(ref _hold);
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.FromMilliseconds(1));
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, s_holdMax);
            Write(ref _hold, value);
        }
    }

    /// <summary>How often what has happened.</summary>
    internal BatchFaultCounts Counts => Read(ref _counts);

    /// <summary>Nothing is lost, doubled or held back from now on.</summary>
    public void Clear()
    {
        lock (_gate) _loss = _duplication = _reordering = 0;
    }

    /// <summary>When each copy of the next batch is sent; none of a batch that is lost.</summary>
    internal BatchFate Draw(bool isBlocked)
    {
        lock (_gate)
        {
            _counts.Batches++;
            if (isBlocked)
            {
                _counts.Blocked++;
                return new(false, default, null);
            }

            if (Happens(_loss))
            {
                _counts.Lost++;
                return new(false, default, null);
            }

            TimeSpan? again = null;
            if (Happens(_duplication))
            {
                _counts.Doubled++;
                again = _hold * _random.NextDouble();
            }

            if (!Happens(_reordering)) return new(true, default, again);
            _counts.HeldBack++;
            return new(true, _hold * _random.NextDouble(), again);
        }
    }

    private bool Happens(double share) => share > 0 && _random.NextDouble() < share;

    private T Read<T>(ref T field)
    {
        lock (_gate) return field;
    }

    private void Write<T>(ref T field, T value)
    {
        lock (_gate) field = value;
    }
}

/// <summary>How often what has happened to the batches that silos' engines send each other.</summary>
/// <param name="Batches">All of them.</param>
/// <param name="Blocked">
/// Lost because of <see cref="ClusterNetwork.Block"/>, or because one of the silos has crashed.
/// </param>
/// <param name="Lost">Lost by chance.</param>
/// <param name="Doubled">Sent twice.</param>
/// <param name="HeldBack">Sent later.</param>
internal record struct BatchFaultCounts(long Batches, long Blocked, long Lost, long Doubled, long HeldBack);

/// <summary>What becomes of one batch.</summary>
/// <param name="Arrives">Whether it is sent at all.</param>
/// <param name="Hold">How much later.</param>
/// <param name="Again">How much later once more; <see langword="null"/> once only.</param>
internal readonly record struct BatchFate(bool Arrives, TimeSpan Hold, TimeSpan? Again);
