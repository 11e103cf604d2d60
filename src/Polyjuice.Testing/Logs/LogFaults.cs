namespace Polyjuice.Testing;

/// <summary>
/// What goes wrong with a silo's logs. It may be changed at any time and takes effect at the next call.
/// The same seed draws the same chances, in the order of the calls. Thread-safe.
/// </summary>
public sealed class LogFaults
{
    private static readonly TimeSpan s_delayMax = TimeSpan.FromMinutes(1);

    private readonly Lock _gate = new();
    private readonly Random _random;
    private readonly Standstill _hold = new();
    private LogFaultCounts _counts;
    private TimeSpan _appendDelay;
    private TimeSpan _appendDelaySpread;
    private double _failBefore;
    private double _failAfter;
    private double _failLate;
    private bool _isFull;
    private bool _isRefused;

    /// <summary>None yet.</summary>
    /// <param name="seed">What chances are drawn from.</param>
    internal LogFaults(int seed = 0) => _random = new(seed);

    /// <summary>
    /// How much longer each append takes. The batch is durable first, and its appender hears of it later. Timers of the
    /// system count in milliseconds, so it is up to about a millisecond more. Default 0; at most 1 min.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">It is out of its bounds.</exception>
    public TimeSpan AppendDelay { get => Read(ref _appendDelay); set => Write(ref _appendDelay, Delay(value)); }

    /// <summary>
    /// Each append takes up to so much longer than <see cref="AppendDelay"/>
    /// says, evenly spread. Default 0; at most 1 min.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">It is out of its bounds.</exception>
    public TimeSpan AppendDelaySpread
    {
        get => Read(ref _appendDelaySpread);
        set => Write(ref _appendDelaySpread, Delay(value));
    }

    /// <summary>The share of appends that fail before anything is written. Default 0; 0 to 1.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is out of its bounds.</exception>
    public double FailBefore { get => Read(ref _failBefore); set => Write(ref _failBefore, Share.Of(value)); }

    /// <summary>
    /// The share of the other appends that are written, and fail all the same (rule L3). Default 0; 0 to 1.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">It is out of its bounds.</exception>
    public double FailAfter { get => Read(ref _failAfter); set => Write(ref _failAfter, Share.Of(value)); }

    /// <summary>
    /// The share of the remaining appends that fail at once and are written up to 100 ms later, if their position is
    /// still free then (rule L3). Default 0; 0 to 1.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">It is out of its bounds.</exception>
    public double FailLate { get => Read(ref _failLate); set => Write(ref _failLate, Share.Of(value)); }

    /// <summary>
    /// Whether there is no room: appends and checkpoints fail and leave nothing, reads work. Default no.
    /// </summary>
    public bool IsFull { get => Read(ref _isFull); set => Write(ref _isFull, value); }

    /// <summary>
    /// Whether the silo has lost access: every call fails and
    /// nothing more is written, not even what is late. Default no.
    /// </summary>
    public bool IsRefused { get => Read(ref _isRefused); set => Write(ref _isRefused, value); }

    /// <summary>How often what has happened.</summary>
    internal LogFaultCounts Counts => Read(ref _counts);

    /// <summary>
    /// Calls stand still from now on, and so do the answers of those
    /// that are under way. Does nothing if they do already.
    /// </summary>
    public void Hold() => _hold.Begin();

    /// <summary>What stood still goes on.</summary>
    public void Release() => _hold.End();

    /// <summary>
    /// Ends all delays and failures that are set, a full disk included;
    /// not <see cref="IsRefused"/> and not <see cref="Hold"/>.
    /// </summary>
    public void Clear()
    {
        lock (_gate)
        {
            _appendDelay = _appendDelaySpread = default;
            _failBefore = _failAfter = _failLate = default;
            _isFull = false;
        }
    }

    /// <summary>Completes when calls do not stand still.</summary>
    internal ValueTask PassAsync(CancellationToken cancellationToken) => _hold.PassAsync(cancellationToken);

    /// <summary>Fails if calls are refused.</summary>
    internal void Admit(string location)
    {
        lock (_gate)
        {
            if (!_isRefused) return;
            _counts.Refused++;
        }

        throw new IOException($"This silo has no access to {location} any more (a fault of the test).");
    }

    /// <summary>Fails if there is no room.</summary>
    internal void Room(string location)
    {
        lock (_gate)
        {
            if (!_isFull) return;
            _counts.Full++;
        }

        throw new IOException($"There is no space left at {location} (a fault of the test).");
    }

    /// <summary>What shall become of the next append.</summary>
    internal AppendFate Draw()
    {
        lock (_gate)
        {
            _counts.Appends++;
            if (Happens(_failBefore))
            {
                _counts.FailedBefore++;
                return new(AppendFailure.Before, default);
            }

            if (Happens(_failAfter))
            {
                _counts.FailedAfter++;
                return new(AppendFailure.After, DrawDelay());
            }

            if (Happens(_failLate))
            {
                _counts.FailedLate++;
                return new(AppendFailure.Late, TimeSpan.FromMilliseconds(1 + _random.Next(100)));
            }

            return new(AppendFailure.None, DrawDelay());
        }
    }

    private bool Happens(double share) => share > 0 && _random.NextDouble() < share;

    private TimeSpan DrawDelay()
    {
        var delay = _appendDelaySpread == default
            ? _appendDelay
            : _appendDelay + (_appendDelaySpread * _random.NextDouble());
        if (delay > TimeSpan.Zero) _counts.Delayed++;
        return delay;
    }

    private T Read<T>(ref T field)
    {
        lock (_gate) return field;
    }

    private void Write<T>(ref T field, T value)
    {
        lock (_gate) field = value;
    }

    private static TimeSpan Delay(TimeSpan value)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.Zero);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(value, s_delayMax);
        return value;
    }
}
