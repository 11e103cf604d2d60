namespace Polyjuice.Training.Service.Forecasting;

/// <summary>
/// Time in windows of one length, counted from the Unix epoch, so that
/// every process numbers them alike. Days and weeks are those of UTC.
/// </summary>
internal sealed class WindowGrid
{
    /// <summary>
    /// The shortest window: silos hand over what they have recorded each second, and begin a file with each window.
    /// </summary>
    public static readonly TimeSpan LengthMin = TimeSpan.FromSeconds(10);

    /// <summary>
    /// The shortest one of which seasons are known: they take memory in proportion to how many windows a week has.
    /// </summary>
    public static readonly TimeSpan SeasonalLengthMin = TimeSpan.FromMinutes(5);

    /// <summary>The longest.</summary>
    public static readonly TimeSpan LengthMax = TimeSpan.FromDays(1);

    private readonly long _microseconds;

    /// <summary>Windows of a length.</summary>
    /// <param name="length">From 10 seconds to a day, and a whole part of a day.</param>
    /// <exception cref="ArgumentException">It is neither.</exception>
    public WindowGrid(TimeSpan length)
    {
        if (length < LengthMin || length > LengthMax || TimeSpan.TicksPerDay % length.Ticks != 0)
            throw new ArgumentException(
                $"A window of {length} does not do: it is from 10 seconds to a day, and a day is a whole number of "
                + "them (20s, 1m, 5m, 15m, 30m, 1h, 2h, 6h, 24h).",
                nameof(length));
        Length = length;
        _microseconds = (long)length.TotalMicroseconds;
        PerDay = (int)(TimeSpan.TicksPerDay / length.Ticks);
    }

    /// <summary>How long a window is.</summary>
    public TimeSpan Length { get; }

    /// <summary>Windows in a day.</summary>
    public int PerDay { get; }

    /// <summary>Windows in a week.</summary>
    public int PerWeek => 7 * PerDay;

    /// <summary>The number of the window that a time is in.</summary>
    /// <param name="microseconds">Since the Unix epoch; not below 0.</param>
    public long WindowOf(long microseconds) => microseconds / _microseconds;

    /// <summary>When a window begins, in microseconds since the Unix epoch.</summary>
    /// <param name="window">Its number.</param>
    public long StartOf(long window) => window * _microseconds;

    /// <summary>The same as a date.</summary>
    /// <param name="window">Its number.</param>
    public DateTimeOffset DateOf(long window) => DateTimeOffset.UnixEpoch.AddTicks(window * Length.Ticks);

    internal int SlotOfDay(long window) => (int)(window % PerDay);

    internal int SlotOfWeek(long window) => (int)(window % PerWeek);
}
