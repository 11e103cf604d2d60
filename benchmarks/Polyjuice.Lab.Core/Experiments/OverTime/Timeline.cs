using Polyjuice.Lab.Running;

namespace Polyjuice.Lab.Experiments.OverTime;

/// <summary>
/// Hears how far a measurement is, makes changes when they are due, and knows afterwards what was committed in each
/// second. Where the machine stalls, so that it hears nothing for a while, all that is still due moves by as much, and
/// the measurement takes as much longer: otherwise several changes would come at once, or after the end.
/// </summary>
/// <param name="due">When changes are due, since the beginning, in order, if the machine does not stall.</param>
/// <param name="change">Makes the change of that index.</param>
internal sealed class Timeline(IReadOnlyList<TimeSpan> due, Action<int> change) : SilentObserver
{
    private readonly List<(TimeSpan Elapsed, long Committed)> _heard = [(TimeSpan.Zero, 0)];
    private readonly List<TimeSpan> _changes = [];
    private TimeSpan _delay;

    /// <summary>When changes were made.</summary>
    public IReadOnlyList<TimeSpan> Changes => _changes;

    /// <inheritdoc/>
    public override TimeSpan Delay => _delay;

    /// <inheritdoc/>
    public override void Progress(BenchmarkArm arm, long committed, TimeSpan elapsed)
    {
        var silence = elapsed - _heard[^1].Elapsed;
        if (silence >= 2 * IntervalRunner.ProgressPeriod) _delay += silence - IntervalRunner.ProgressPeriod;
        _heard.Add((elapsed, committed));
        while (_changes.Count < due.Count && due[_changes.Count] <= elapsed - _delay)
        {
            change(_changes.Count);
            _changes.Add(elapsed);
        }
    }

    /// <summary>
    /// Commits a second in each whole second, or other length, that
    /// was heard of; between two reports they count as evenly spread.
    /// </summary>
    public IReadOnlyList<double> Rates(TimeSpan length)
    {
        var rates = new List<double>();
        for (var from = TimeSpan.Zero; from + length <= _heard[^1].Elapsed; from += length)
            rates.Add((At(from + length) - At(from)) / length.TotalSeconds);
        return rates;
    }

    private double At(TimeSpan time)
    {
        var after = _heard.FindIndex(heard => heard.Elapsed >= time);
        var (to, upper) = _heard[after];
        if (to == time || after == 0) return upper;
        var (from, lower) = _heard[after - 1];
        return lower + ((upper - lower) * ((time - from) / (to - from)));
    }
}
