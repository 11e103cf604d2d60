namespace Polyjuice.Orleans.Calls;

/// <summary>
/// Which of one process's latest calls have come: two bits for each number, in a ring. It doubles while its numbers
/// come round sooner than they are to be remembered, up to <see cref="NumbersMax"/>. Thread-safe.
/// </summary>
/// <param name="first">The first number that has come.</param>
/// <param name="now">In milliseconds, on a clock that does not go back.</param>
/// <param name="rememberedFor">
/// How long a number is to be remembered, in milliseconds, where there is room for that.
/// </param>
internal sealed class CallWindow(long first, long now, long rememberedFor)
{
    /// <summary>The most numbers that it remembers: 128 KiB.</summary>
    internal const int NumbersMax = 1 << 19;

    private const int NumbersMin = 1 << 10;

    private readonly Lock _lock = new();
    private readonly Dictionary<long, TaskCompletionSource> _awaited = [];
    private ulong[] _bits = new ulong[NumbersMin / 32];
    private long _highest = first - 1;
    private long _roundBegan = now;
    private long _heardAt = now;

    /// <summary>How many numbers it remembers.</summary>
    internal int Numbers
    {
        get
        {
            lock (_lock) return _bits.Length * 32;
        }
    }

    /// <summary>When a number last came, in milliseconds.</summary>
    public long HeardAt => Volatile.Read(ref _heardAt);

    /// <summary>A call has come.</summary>
    /// <param name="number">Its number.</param>
    /// <param name="now">In milliseconds, on the same clock.</param>
    /// <returns>
    /// <see langword="null"/> if it may run: it is the first of its number, or that is too old to be remembered.
    /// Otherwise what completes when the first has ended.
    /// </returns>
    public Task? Take(long number, long now)
    {
        lock (_lock)
        {
            _heardAt = now;
            if (number > _highest) Advance(number, now);
            else if (number <= _highest - (_bits.Length * 32L)) return null;
            ref var bits = ref Of(number, out var shift);
            if (((bits >> shift) & 1) == 0)
            {
                bits |= 1UL << shift;
                return null;
            }

            if (((bits >> shift) & 2) != 0) return Task.CompletedTask;
            if (!_awaited.TryGetValue(number, out var end))
                _awaited.Add(number, end = new(TaskCreationOptions.RunContinuationsAsynchronously));
            return end.Task;
        }
    }

    /// <summary>The first call of a number has ended.</summary>
    /// <param name="number">The number.</param>
    /// <param name="mayComeAgain">
    /// Whether nothing of it has happened, so that the next one of its number may run.
    /// </param>
    public void End(long number, bool mayComeAgain = false)
    {
        lock (_lock)
        {
            if (number > _highest - (_bits.Length * 32L))
            {
                ref var bits = ref Of(number, out var shift);
                if (mayComeAgain) bits &= ~(3UL << shift);
                else bits |= 2UL << shift;
            }

            if (_awaited.Count > 0 && _awaited.Remove(number, out var end)) end.SetResult();
        }
    }

    private void Advance(long number, long now)
    {
        var size = _bits.Length * 32L;
        if (number / size != _highest / size)
        {
            if (now - _roundBegan < rememberedFor && size < NumbersMax) Grow();
            _roundBegan = now;
            size = _bits.Length * 32L;
        }

        // What falls out of the window makes room for what comes in.
        for (var next = Math.Max(_highest, number - size) + 1; next <= number; next++)
        {
            ref var bits = ref Of(next, out var shift);
            bits &= ~(3UL << shift);
        }

        _highest = number;
    }

    private void Grow()
    {
        var (old, size) = (_bits, _bits.Length * 32L);
        _bits = new ulong[old.Length * 2];
        for (var number = Math.Max(0, _highest - size + 1); number <= _highest; number++)
        {
            var place = number & (size - 1);
            var pair = (old[place >> 5] >> (int)((place & 31) * 2)) & 3;
            Of(number, out var shift) |= pair << shift;
        }
    }

    private ref ulong Of(long number, out int shift)
    {
        var place = number & ((_bits.Length * 32L) - 1);
        shift = (int)((place & 31) * 2);
        return ref _bits[place >> 5];
    }
}
