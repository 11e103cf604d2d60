namespace Polyjuice.Agents;

/// <summary>
/// A limit under which nearly all attempts failed, right after one under which they did not. What it aborts begins
/// again before all others, and is what conflicts most, so it takes long until all is as before: such a limit is kept
/// away from, the longer the more often that happens. A mutable struct.
/// </summary>
internal struct LimitCliff()
{
    private const int WindowsMin = 64;
    private const int WindowsMax = 1_024;

    private int _at;
    private int _windows;
    private int _windowsAfter = WindowsMin;
    private int _fine;

    /// <summary>How high a limit may be raised for now.</summary>
    /// <param name="limit">How high it would be.</param>
    public readonly int Below(int limit) => _windows > 0 ? Math.Min(limit, _at - 1) : limit;

    /// <summary>A window has ended in which most attempts did not fail.</summary>
    /// <param name="limit">Under which limit.</param>
    public void Fine(int limit)
    {
        _fine = limit;
        if (_windows > 0) _windows--;
        else if (limit >= _at) (_at, _windowsAfter) = (0, WindowsMin);
    }

    /// <summary>One has ended in which nearly all failed.</summary>
    /// <param name="limit">Under which limit.</param>
    public void Failed(int limit)
    {
        // All the way down from a limit that was far too high, what was aborted under it is still to be done.
        if (_fine > 0 && limit > _fine)
        {
            _at = limit;
            _windows = _windowsAfter;
            _windowsAfter = Math.Min(2 * _windowsAfter, WindowsMax);
        }

        _fine = 0;
    }
}
