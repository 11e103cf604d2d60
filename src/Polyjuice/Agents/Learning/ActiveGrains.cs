using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// Grains of other nodes that this one has heard to be active, some seconds ago at the
/// most, so that not each transaction asks for it anew. For speed only: one that has
/// gone since is activated by whoever calls it, while others wait for that. Turn only.
/// </summary>
internal sealed class ActiveGrains
{
    /// <summary>What was heard is believed for so long, in microseconds; and for less than twice as long.</summary>
    public const long Lasting = 10_000_000;

    /// <summary>
    /// Bound on what is remembered of each of two generations. When
    /// there is more, the older one is forgotten before its time.
    /// </summary>
    public const int Max = 16_384;

    private HashSet<string> _recent = [];
    private HashSet<string> _earlier = [];
    private long _recentSince;
    private ulong _view;

    /// <summary>Who else is asked for their grains has changed: with a log that moves, its grains go.</summary>
    /// <param name="view">Stands for the owners of all logs (<see cref="ReservationPlan.View"/>).</param>
    /// <param name="now">On the host's clock, in microseconds.</param>
    public void Begin(ulong view, long now)
    {
        var isOver = view != _view || now - _recentSince >= 2 * Lasting;
        if (!isOver && now - _recentSince < Lasting) return;
        Age(now);
        if (isOver) Age(now);
        _view = view;
    }

    /// <summary>Whether a grain was active, as far as is known.</summary>
    public bool Contains(string grain) => _recent.Contains(grain) || _earlier.Contains(grain);

    /// <summary>A grain is active.</summary>
    /// <param name="grain">Which.</param>
    /// <param name="now">On the host's clock, in microseconds.</param>
    public void Add(string grain, long now)
    {
        if (_recent.Count >= Max) Age(now);
        _recent.Add(grain);
    }

    private void Age(long now)
    {
        (_recent, _earlier) = (_earlier, _recent);
        _recent.Clear();
        _recentSince = now;
    }
}
