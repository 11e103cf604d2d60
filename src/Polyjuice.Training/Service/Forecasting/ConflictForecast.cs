namespace Polyjuice.Training.Service.Forecasting;

/// <summary>
/// Forecasts the peak of a conflict rate that has daily and weekly seasons and shifts of level. The model is
/// multiplicative: a rate is a level times the season of its slot in the week times noise. The level follows by
/// exponential smoothing, and at once where <see cref="ShiftDetector"/> finds that it has shifted; the seasons are
/// fitted anew each day to the last eight weeks (<see cref="SeasonalProfile"/>). A peak is higher than what is expected
/// of its window, because it is the highest of many: by how much is learned from earlier forecasts of the next day's
/// peak, and so is the forecast's error.
/// </summary>
/// <remarks>
/// Deterministic. Keeps eight weeks of windows, whatever it has seen before. Windows may be missing. Until a week has
/// been seen it knows the mean day only, and says so by a wide error. Not thread-safe.
/// </remarks>
/// <param name="grid">The windows.</param>
internal sealed class ConflictForecast(WindowGrid grid) : IPeakForecast
{
    /// <summary>How many weeks the seasons are fitted to, and are kept.</summary>
    public const int Weeks = 8;

    /// <summary>
    /// The error of a forecast as long as the week is not known: what a weekly season may still add, and take away.
    /// </summary>
    private const double UnknownWeekError = 0.25;

    /// <summary>
    /// A window's noise is taken to be no less than this while the week
    /// is not known, so that a weekly season is not taken for shifts.
    /// </summary>
    private const double UnknownWeekNoise = 0.15;

    /// <summary>And never less than this: seasons are not known better.</summary>
    private const double NoiseMin = 0.02;

    /// <summary>Over how much time the level is a mean, weighted or not: a hundred hours, in days.</summary>
    private const double LevelDays = 100.0 / 24;

    private const double NoiseShare = 0.02;
    private const double PeakShare = 0.1;

    /// <summary>In standard deviations: what is further off teaches no more than this.</summary>
    private const double Outlier = 3;

    /// <summary>A day's peak that is further off, in logarithms, is a shift's, and says nothing of peaks.</summary>
    private const double PeakOutlier = 0.25;

    /// <summary>How far back a shift may have begun: sums may have begun to rise before it by chance.</summary>
    private const int OnsetMax = 12;

    private readonly int _levelWindows = (int)Math.Max(1, LevelDays * grid.PerDay);
    private readonly LevelHistory _history = new();
    private readonly ShiftDetector _detector = new();
    private double[] _season = new double[grid.PerWeek];
    private double _level;
    private double _variance = 0.04;
    private int _windowsOfLevel;
    private long _first;
    private long _fitted;

    // The next day's peak as it was forecast, and as it is so far.
    private (long From, double Expected, double Highest, int Windows)? _day;
    private double _peakBias;
    private double _peakVariance = 0.0025;
    private int _peaks;

    /// <inheritdoc/>
    public WindowGrid Grid => grid;

    /// <inheritdoc/>
    public long WindowsKept => Weeks * grid.PerWeek;

    /// <inheritdoc/>
    public long Seen => _history.Seen;

    /// <inheritdoc/>
    public long Last => _history.Last;

    /// <inheritdoc/>
    public long LevelSince => _history.LevelSince;

    /// <summary>Whether it has seen a week, at least half of it.</summary>
    public bool KnowsWeek => Last - _first + 1 >= grid.PerWeek && Seen >= grid.PerWeek / 2;

    /// <inheritdoc/>
    public bool Observe(ObservedRate observed)
    {
        var (window, log) = (observed.Window, _history.LogOf(observed));
        if (_history.Windows.Count == 0) (_first, _fitted, _level) = (window, window, log);

        // After a week without any, the level is anybody's guess, and the season is not.
        else if (window - Last > grid.PerWeek)
        {
            (_level, _windowsOfLevel) = (log - _season[grid.SlotOfWeek(window)], 0);
            _detector.Reset();
        }

        var error = log - Expected(window);
        var noise = Math.Max(Math.Sqrt(_variance), KnowsWeek ? NoiseMin : UnknownWeekNoise);
        _history.Add(window, log, oldest: window - (Weeks * grid.PerWeek) + 1);
        var hasShifted = Seen > grid.PerDay && Shift(_detector.Add(error / noise));
        if (!hasShifted) Follow(error, noise);
        if (Seen > grid.PerDay)
            _variance += NoiseShare * (Math.Min(error * error, Outlier * Outlier * _variance) - _variance);
        if (window - _fitted >= grid.PerDay - 1) Fit(window);
        FollowPeaks(window, log);
        return hasShifted;
    }

    /// <summary>
    /// The peak of the next seven days, which a table is made for;
    /// of the next day, as long as nothing is known of weeks.
    /// </summary>
    /// <exception cref="InvalidOperationException">Nothing was seen yet.</exception>
    public PeakForecast Peak() => Peak(KnowsWeek ? grid.PerWeek : grid.PerDay);

    /// <summary>The peak of the next windows.</summary>
    /// <param name="windows">How many, from 1 to a week.</param>
    /// <exception cref="InvalidOperationException">Nothing was seen yet.</exception>
    public PeakForecast Peak(int windows)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(windows, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(windows, grid.PerWeek);
        if (_history.Windows.Count == 0)
            throw new InvalidOperationException("There is no forecast before the first window.");
        var error = KnowsWeek
            ? Math.Sqrt(_peakVariance + (_variance / Math.Clamp(_windowsOfLevel, 1, _levelWindows)))
            : UnknownWeekError;
        return new PeakForecast(Math.Exp(Highest(Last + 1, windows) + _peakBias), error, windows);
    }

    private double Expected(long window) => _level + _season[grid.SlotOfWeek(window)];

    private double Highest(long from, int windows) => Enumerable.Range(0, windows).Max(ahead => Expected(from + ahead));

    /// <summary>Finds where a shift has most likely begun, and puts the level where it has been since.</summary>
    private bool Shift(int windows)
    {
        if (windows == 0) return false;
        var begun = _history.OnsetOf(Math.Min(windows, OnsetMax), kept => kept.Log - Expected(kept.Window));
        _history.BeginLevel(begun);
        _windowsOfLevel = begun;
        _level = LevelOf(begun);
        return true;
    }

    private void Follow(double error, double noise)
    {
        _windowsOfLevel++;
        var share = Math.Max(KnowsWeek ? 1.0 / _levelWindows : 1.0 / grid.PerDay, 1.0 / _windowsOfLevel);
        var most = Seen > grid.PerDay ? Outlier * noise : double.PositiveInfinity;
        _level += share * Math.Clamp(error, -most, most);
    }

    private void Fit(long window)
    {
        _fitted = window + 1;
        _season = SeasonalProfile.Fit(_history.Windows, grid, KnowsWeek);
        _level = LevelOf(
            Math.Clamp(_windowsOfLevel, 1, Math.Min(KnowsWeek ? _levelWindows : grid.PerDay, _history.Windows.Count)));
    }

    private double LevelOf(int windows)
    {
        var sum = 0.0;
        for (var back = 1; back <= windows; back++)
            sum += _history[^back].Log - _season[grid.SlotOfWeek(_history[^back].Window)];
        return sum / windows;
    }

    private void FollowPeaks(long window, double log)
    {
        if (_day is { } day && window < day.From + grid.PerDay)
        {
            day = day with { Highest = Math.Max(day.Highest, log), Windows = day.Windows + 1 };
            _day = day;
            if (window < day.From + grid.PerDay - 1) return;

            // A day that lacks windows may lack its peak.
            if (day.Windows >= grid.PerDay * 3 / 4 && Math.Abs(day.Highest - day.Expected) < PeakOutlier)
                Learn(day.Highest - day.Expected);
        }

        _day = (window + 1, Highest(window + 1, grid.PerDay), double.NegativeInfinity, 0);
    }

    private void Learn(double above)
    {
        _peaks++;
        _peakBias += Math.Max(PeakShare, 1.0 / (_peaks + 1)) * (above - _peakBias);
        _peakVariance += PeakShare * (((above - _peakBias) * (above - _peakBias)) - _peakVariance);
    }
}
