namespace Polyjuice.Training.Service.Forecasting;

/// <summary>The last windows that a forecast has seen, in stretches between shifts of level. Not thread-safe.</summary>
internal sealed class LevelHistory
{
    /// <summary>
    /// Below it a rate counts as this: nobody sees one transaction
    /// of a thousand more in conflict, and 0 has no logarithm.
    /// </summary>
    private const double RateMin = 0.001;

    private readonly List<KeptWindow> _windows = [];
    private int _segment;

    /// <summary>Those that are kept, the oldest first.</summary>
    public IReadOnlyList<KeptWindow> Windows => _windows;

    /// <summary>How many there were in all.</summary>
    public long Seen { get; private set; }

    /// <summary>The last one; -1 for none.</summary>
    public long Last => _windows.Count == 0 ? -1 : _windows[^1].Window;

    /// <summary>The first one of the last stretch that is kept; -1 for none.</summary>
    public long LevelSince =>
        _windows.Count == 0
            ? -1
            : _windows[_windows.FindIndex(window => window.Segment == _windows[^1].Segment)].Window;

    /// <summary>One of them, such as <c>^1</c>.</summary>
    public KeptWindow this[Index index] => _windows[index];

    /// <summary>The logarithm of a window's rate.</summary>
    /// <param name="observed">The next window.</param>
    /// <exception cref="ArgumentException">It does not come after the last one, or the rate is no share.</exception>
    public double LogOf(ObservedRate observed)
    {
        var (window, rate) = observed;
        if (window < 0 || window <= Last)
            throw new ArgumentException($"Window {window} does not come after window {Last}.", nameof(observed));
        if (!(rate >= 0 && rate <= 1))
            throw new ArgumentException($"A conflict rate of {rate} is no share: it is from 0 to 1.", nameof(observed));
        return Math.Log(Math.Max(rate, RateMin));
    }

    /// <summary>Adds a window to the last stretch.</summary>
    /// <param name="window">Which.</param>
    /// <param name="log">See <see cref="LogOf"/>.</param>
    /// <param name="oldest">Those before this one are forgotten.</param>
    /// <param name="most">So many are kept at the most.</param>
    public void Add(long window, double log, long oldest = 0, int most = int.MaxValue)
    {
        Seen++;
        _windows.Add(new KeptWindow(window, log, _segment));
        var old = Math.Max(_windows.FindIndex(kept => kept.Window >= oldest), _windows.Count - most);
        if (old > 0) _windows.RemoveRange(0, old);
    }

    /// <summary>
    /// With which of the last windows a shift has most likely begun:
    /// where the sum of errors since then is furthest from chance.
    /// </summary>
    /// <param name="most">How far back that may be, from 1.</param>
    /// <param name="errorOf">How far a window is from what was expected of it.</param>
    /// <returns>How many windows it has lasted, at least 1.</returns>
    public int OnsetOf(int most, Func<KeptWindow, double> errorOf)
    {
        var (sum, best, begun) = (0.0, -1.0, 1);
        for (var back = 1; back <= Math.Min(most, _windows.Count); back++)
        {
            sum += errorOf(_windows[^back]);
            if (sum * sum / back <= best) continue;
            (best, begun) = (sum * sum / back, back);
        }

        return begun;
    }

    /// <summary>Another stretch has begun.</summary>
    /// <param name="windows">How many of the last ones are its own.</param>
    public void BeginLevel(int windows)
    {
        _segment++;
        for (var back = 1; back <= windows; back++) _windows[^back] = _windows[^back] with { Segment = _segment };
    }
}
