namespace Polyjuice.Publishing.Following;

/// <summary>What a trial has come to.</summary>
internal enum TrialOutcome
{
    /// <summary>It goes on.</summary>
    Open,

    /// <summary>The table stays.</summary>
    Kept,

    /// <summary>It stays because there was too little to compare with or by.</summary>
    NotJudged,

    /// <summary>It goes.</summary>
    Worse,
}

/// <summary>What a trial has come to, and why.</summary>
internal readonly record struct TrialVerdict(TrialOutcome Outcome, string Text);

/// <summary>
/// Says whether a table is worse than the one before it. It is if
/// <list type="number">
/// <item><b>fewer commit</b>: the median second commits less by <see cref="PublishedPoliciesOptions.CommitDropMax"/>
/// than before, the seconds' ranks say that this is not chance, and it is the table's fault; or</item>
/// <item><b>each takes longer</b>: a transaction is open <see cref="PublishedPoliciesOptions.TimeRiseMax"/>
/// times as long for each that commits, the ranks say that this is not chance, and not more than a tenth
/// more commit than before (which would be more load).</item>
/// </list>
/// <para>Whose fault fewer commits are, Little's law says: commits a second = transactions open at a time ÷ time open
/// for each commit. A load that falls by itself lowers the first and leaves the second, or lowers it too. It is the
/// table's fault if the second alone would explain a drop of <see cref="PublishedPoliciesOptions.CommitDropMax"/>; or
/// if aborted attempts for each commit are half as many again as before, and 0.1 more, and the time has not become
/// shorter, which with fewer transactions about it should have.</para>
/// <para>At the end of the trial ranks are compared with an error of 1 in 100 (<see cref="RankTest.IsLower"/>). Before,
/// every second, only for twice the drop, or twice the rise, and only if each second since is worse than every one
/// before (<see cref="RankTest.IsAllLower"/>).</para>
/// </summary>
internal static class TrialRule
{
    /// <summary>Fewer intervals say nothing.</summary>
    public const int IntervalsMin = 5;

    private const double MoreLoad = 1.1;
    private const double AbortFactor = 1.5;
    private const double AbortsMore = 0.1;
    private const double DropMost = 0.9;

    /// <summary>Judges.</summary>
    /// <param name="before">The intervals before the swap.</param>
    /// <param name="since">The intervals since, without those right behind the swap.</param>
    /// <param name="isOver">Whether it must be decided now.</param>
    /// <param name="options">The thresholds.</param>
    public static TrialVerdict Judge(
        IReadOnlyList<LoadInterval> before, IReadOnlyList<LoadInterval> since, bool isOver,
        PublishedPoliciesOptions options)
    {
        var (old, now) = (new LoadFigures(before), new LoadFigures(since));
        if (old.Count < IntervalsMin || old.Commits < options.CommitsMin)
            return new(
                isOver ? TrialOutcome.NotJudged : TrialOutcome.Open,
                $"before it, {old.Commits} transactions committed in {old.Count} intervals, too few to compare with");
        if (now.Count < IntervalsMin)
            return new(
                isOver ? TrialOutcome.NotJudged : TrialOutcome.Open, $"there are only {now.Count} intervals since");

        var worse = isOver
            ? Worse(old, now, options.CommitDropMax, options.TimeRiseMax, RankTest.IsLower, options)
            : Worse(
                old,
                now,
                Math.Min(DropMost, 2 * options.CommitDropMax),
                2 * options.TimeRiseMax,
                RankTest.IsAllLower,
                options);
        var figures = LoadFigures.Compare(old, now);
        if (worse is not null) return new(TrialOutcome.Worse, $"{worse}: {figures}");
        return new(isOver ? TrialOutcome.Kept : TrialOutcome.Open, figures);
    }

    private static string? Worse(
        LoadFigures old, LoadFigures now, double drop, double rise,
        Func<IReadOnlyList<double>, IReadOnlyList<double>, bool> isLower, PublishedPoliciesOptions options)
    {
        // A handful of commits of a load that has gone is no evidence; a handful of as many transactions as before is.
        if (now.Commits < options.CommitsMin && now.Open < old.Open / 2) return null;
        if (now.Rate <= old.Rate * (1 - drop) && isLower(now.Rates, old.Rates)
            && IsAtFault(old, now, options.CommitDropMax))
            return "fewer transactions commit";
        return now.Rate <= old.Rate * MoreLoad && now.Time >= old.Time * rise && isLower(old.Times, now.Times)
            ? "transactions take longer"
            : null;
    }

    private static bool IsAtFault(LoadFigures old, LoadFigures now, double drop) =>
        now.Time >= old.Time / (1 - drop)
        || (now.Time >= old.Time && now.AbortsPerCommit >= old.AbortsPerCommit * AbortFactor
            && now.AbortsPerCommit >= old.AbortsPerCommit + AbortsMore);
}
