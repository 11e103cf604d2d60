namespace Polyjuice.Training.Service.Forecasting;

/// <summary>
/// Finds a lasting change of level by two cumulative sums of standardised forecast errors (Page, "Continuous inspection
/// schemes", Biometrika 41, 1954), of which each counts for no more than <see cref="ErrorMax"/> (as Lucas and Crosier
/// make CUSUM robust, 1982): a single window, whatever happened in it, is no shift, and two that are both far off are.
/// </summary>
internal sealed class ShiftDetector
{
    /// <summary>
    /// In standard deviations, like the two below. Smaller errors than
    /// this drain the sums; a change of twice as much is found fastest.
    /// </summary>
    private const double Reference = 1;
    private const double Limit = 5;
    private const double ErrorMax = 4;

    private double _up;
    private double _down;
    private int _upWindows;
    private int _downWindows;

    /// <summary>
    /// Takes a window's error. Says for how many windows, this one
    /// included, there has been a shift; 0 if there is none.
    /// </summary>
    /// <param name="error">In standard deviations.</param>
    public int Add(double error)
    {
        var bounded = Math.Clamp(error, -ErrorMax, ErrorMax);
        _up = Math.Max(0, _up + bounded - Reference);
        _down = Math.Max(0, _down - bounded - Reference);
        _upWindows = _up > 0 ? _upWindows + 1 : 0;
        _downWindows = _down > 0 ? _downWindows + 1 : 0;
        var windows = _up > Limit ? _upWindows : _down > Limit ? _downWindows : 0;
        if (windows > 0) Reset();
        return windows;
    }

    /// <summary>Forgets what it has seen.</summary>
    public void Reset() => (_up, _down, _upWindows, _downWindows) = (0, 0, 0, 0);
}
