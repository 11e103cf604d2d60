using Polyjuice.Policies;

namespace Polyjuice.Publishing.Following;

/// <summary>A release that is being watched, or the time before the next one. For one caller at a time.</summary>
/// <param name="options">How long things take.</param>
internal sealed class PolicyTrial(PublishedPoliciesOptions options)
{
    private readonly Queue<LoadInterval> _before = [];
    private readonly List<LoadInterval> _since = [];
    private readonly int _beforeMax = Intervals(options.Baseline, options.Interval);
    private int _toSettle;
    private int _left;

    /// <summary>
    /// The release that is tried, and what was in force before it; <see langword="null"/> if none is.
    /// </summary>
    public (ReleaseId Release, ReleaseId Before, IPolicyCompiler Policy)? Tried { get; private set; }

    /// <summary>
    /// Begins a trial. If one is under way, that one was not judged, and so the
    /// new release is compared with, and gives way to, what was before both.
    /// </summary>
    /// <param name="release">Which is in force now.</param>
    /// <param name="before">Which was, 0 for none.</param>
    /// <param name="policy">That one's policy.</param>
    public void Begin(ReleaseId release, ReleaseId before, IPolicyCompiler policy)
    {
        Tried = Tried is { } unjudged ? (release, unjudged.Before, unjudged.Policy) : (release, before, policy);
        _since.Clear();
        _toSettle = Intervals(options.Settle, options.Interval);
        _left = Intervals(options.Trial - options.Settle, options.Interval);
    }

    /// <summary>Something else is in force: what was counted so far is of another table.</summary>
    public void Reset()
    {
        Tried = null;
        _before.Clear();
        _since.Clear();
        _toSettle = Intervals(options.Settle, options.Interval);
    }

    /// <summary>Another interval has passed.</summary>
    /// <param name="interval">What was done in it; <see langword="null"/> if nobody knows.</param>
    /// <returns>How the trial stands; <see langword="null"/> if there is none.</returns>
    public TrialVerdict? Add(LoadInterval? interval)
    {
        if (_toSettle > 0)
        {
            _toSettle--;
            return null;
        }

        if (Tried is null)
        {
            if (interval is { } known) _before.Enqueue(known);
            while (_before.Count > _beforeMax) _before.Dequeue();
            return null;
        }

        _left--;
        if (interval is { } counted) _since.Add(counted);
        var verdict = TrialRule.Judge([.. _before], _since, isOver: _left <= 0, options);
        if (verdict.Outcome is TrialOutcome.Open or TrialOutcome.Worse) return verdict;

        // What it has done so far is what the next one is compared with.
        Tried = null;
        _before.Clear();
        foreach (var kept in _since) _before.Enqueue(kept);
        _since.Clear();
        return verdict;
    }

    private static int Intervals(TimeSpan time, TimeSpan interval) => (int)Math.Ceiling(time / interval);
}
