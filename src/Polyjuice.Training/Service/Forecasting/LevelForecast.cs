namespace Polyjuice.Training.Service.Forecasting;

/// <summary>
/// Forecasts that the conflict rate stays where it is: a level without seasons, that follows by exponential smoothing,
/// and at once where <see cref="ShiftDetector"/> finds that it has shifted, which it does in the second window that is
/// far off. What a level is and how sure it is are known after two windows, so this is for who wants another table
/// minutes after a shift, and knows nothing of what comes each day.
/// </summary>
/// <remarks>Deterministic. Keeps some windows, whatever it has seen before. Not thread-safe.</remarks>
/// <param name="grid">The windows.</param>
internal sealed class LevelForecast(WindowGrid grid) : IPeakForecast
{
    private const int Kept = 64;

    /// <summary>So many windows make a level of which a shift can be told.</summary>
    private const int SettlingWindows = 2;

    /// <summary>How many windows a level is the mean of, weighted or not.</summary>
    private const int LevelWindows = 16;

    /// <summary>
    /// A window's noise, in logarithms, is never taken to be less: what else a machine does shows by as much.
    /// </summary>
    private const double NoiseMin = 0.05;

    private const double NoiseShare = 0.05;

    /// <summary>In standard deviations: what is further off teaches no more than this.</summary>
    private const double Outlier = 3;

    /// <summary>
    /// A window in whose middle the level has shifted is off by less than this share of what the next ones are.
    /// </summary>
    private const double MixedShare = 0.8;

    private readonly LevelHistory _history = new();
    private readonly ShiftDetector _detector = new();
    private double _level;
    private double _variance = NoiseMin * NoiseMin;
    private int _windowsOfLevel;

    /// <inheritdoc/>
    public WindowGrid Grid => grid;

    /// <inheritdoc/>
    public long WindowsKept => Kept;

    /// <inheritdoc/>
    public long Seen => _history.Seen;

    /// <inheritdoc/>
    public long Last => _history.Last;

    /// <inheritdoc/>
    public long LevelSince => _history.LevelSince;

    /// <inheritdoc/>
    public bool Observe(ObservedRate observed)
    {
        var log = _history.LogOf(observed);
        _history.Add(observed.Window, log, most: Kept);
        var (error, noise) = (log - _level, Math.Max(Math.Sqrt(_variance), NoiseMin));
        if (Seen > SettlingWindows && _detector.Add(error / noise) is var windows and > 0)
        {
            Shift(windows);
            return true;
        }

        Follow(error, noise);
        return false;
    }

    /// <inheritdoc/>
    public PeakForecast Peak()
    {
        if (_history.Windows.Count == 0)
            throw new InvalidOperationException("There is no forecast before the first window.");
        var noise = Math.Max(Math.Sqrt(_variance), NoiseMin);
        return new PeakForecast(Math.Exp(_level), noise / Math.Sqrt(Math.Clamp(_windowsOfLevel, 1, LevelWindows)), 1);
    }

    /// <summary>Finds where it has most likely begun, and puts the level where it has been since.</summary>
    private void Shift(int windows)
    {
        var begun = _history.OnsetOf(windows, ErrorOf);

        // The load that there is now is not that of a window in which it was still another one.
        if (begun > 1
            && Math.Abs(ErrorOf(_history[^begun])) < MixedShare * Math.Abs(Latest(begun - 1).Average(ErrorOf)))
            begun--;
        _history.BeginLevel(begun);
        _level = Latest(begun).Average(static kept => kept.Log);
        _windowsOfLevel = begun;

        double ErrorOf(KeptWindow kept) => kept.Log - _level;

        IEnumerable<KeptWindow> Latest(int count) => _history.Windows.TakeLast(count);
    }

    private void Follow(double error, double noise)
    {
        _windowsOfLevel++;
        var bound = Seen > SettlingWindows ? Outlier * noise : double.PositiveInfinity;
        _level += Math.Clamp(error, -bound, bound) / Math.Min(_windowsOfLevel, LevelWindows);
        if (Seen > SettlingWindows) _variance += NoiseShare * (Math.Min(error * error, bound * bound) - _variance);
    }
}
