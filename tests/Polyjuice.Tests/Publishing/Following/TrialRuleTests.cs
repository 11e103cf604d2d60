using Polyjuice.Publishing.Following;

namespace Polyjuice.Tests.Publishing.Following;

public sealed class TrialRuleTests
{
    private static readonly PublishedPoliciesOptions _options = new();

    /// <summary>
    /// Commits a second before and since, aborted attempts for each commit,
    /// transactions open at a time; and what is to be said at the end.
    /// </summary>
    [Theory]
    [InlineData("as before", 1_000, 1_000, 0.1, 0.1, 10, 10, "Kept")]
    [InlineData("better", 1_000, 2_000, 0.1, 0.5, 10, 10, "Kept")]
    [InlineData("a little less", 1_000, 900, 0.1, 0.1, 10, 10, "Kept")]
    [InlineData("less, in a closed loop", 1_000, 700, 0.1, 0.1, 10, 10, "Worse")]
    [InlineData("half of the clients are gone", 1_000, 500, 0.1, 0.05, 10, 4.5, "Kept")]
    [InlineData("half are gone, and many aborts more cost nothing", 1_000, 700, 0.01, 0.8, 10, 5, "Kept")]
    [InlineData(
        "fewer are open, and still none is faster, with many more aborts", 1_000, 700, 0.01, 0.8, 10, 7.2, "Worse")]
    [InlineData("nobody comes any more", 1_000, 0, 0.1, 0, 10, 0, "Kept")]
    [InlineData("nothing commits any more", 1_000, 0, 0.1, 0, 10, 10, "Worse")]
    [InlineData("as many arrive, and each takes three times as long", 1_000, 1_000, 0.1, 0.3, 10, 30, "Worse")]
    [InlineData("more arrive, and each takes twice as long", 1_000, 1_500, 0.1, 0.3, 10, 30, "Kept")]
    [InlineData("too little before to compare with", 1, 0, 0, 0, 1, 1, "NotJudged")]
    public void A_release_is_worse_if_less_commits_and_it_is_its_fault(
        string what, double before, double since, double abortsBefore, double abortsSince, double openBefore,
        double openSince, string outcome)
    {
        var verdict = TrialRule.Judge(
            Seconds(30, before, abortsBefore, openBefore, 1),
            Seconds(28, since, abortsSince, openSince, 2),
            isOver: true,
            _options);

        Assert.True(verdict.Outcome.ToString() == outcome, $"{what}: {verdict}");
    }

    [Fact]
    public void Before_the_end_only_a_drop_that_no_second_contradicts_counts()
    {
        var before = Seconds(30, 1_000, 0, 10, 1);

        Assert.Equal(
            TrialOutcome.Worse, TrialRule.Judge(before, Seconds(5, 500, 0, 10, 2), isOver: false, _options).Outcome);
        Assert.Equal(
            TrialOutcome.Open, TrialRule.Judge(before, Seconds(4, 500, 0, 10, 2), isOver: false, _options).Outcome);
        Assert.Equal(
            TrialOutcome.Open, TrialRule.Judge(before, Seconds(20, 700, 0, 10, 2), isOver: false, _options).Outcome);
        Assert.Equal(
            TrialOutcome.Open,
            TrialRule.Judge(
                before, [.. Seconds(8, 500, 0, 10, 2), .. Seconds(1, 1_000, 0, 10, 3)], isOver: false,
                _options).Outcome);
    }

    [Fact]
    public void A_few_bad_seconds_are_not_a_bad_table()
    {
        var since = Seconds(20, 1_000, 0, 10, 1).Concat(Seconds(8, 50, 0, 10, 2)).ToList();

        Assert.Equal(
            TrialOutcome.Kept, TrialRule.Judge(Seconds(30, 1_000, 0, 10, 3), since, isOver: true, _options).Outcome);
    }

    [Fact]
    public void The_same_load_under_the_same_table_is_hardly_ever_found_worse()
    {
        var found = Enumerable.Range(0, 500).Count(seed => Trial(seed) == TrialOutcome.Worse);

        Assert.InRange(found, 0, 2);

        // Seconds that differ by 30% either way, judged each second as a follower does.
        static TrialOutcome Trial(int seed)
        {
            var (before, since) =
                (Seconds(
                    30, 1_000, 0.1, 10, (uint)seed * 2,
                    noise: 0.3), Seconds(28, 1_000, 0.1, 10, ((uint)seed * 2) + 1, noise: 0.3));
            for (var count = 1; count <= since.Count; count++)
            {
                if (TrialRule.Judge(
                    before, since[..count], isOver: count == since.Count,
                    _options).Outcome is var outcome and not TrialOutcome.Open)
                    return outcome;
            }

            return TrialOutcome.Open;
        }
    }

    private static List<LoadInterval> Seconds(
        int count, double rate, double aborts, double open, uint seed, double noise = 0.05)
    {
        var random = new Simulation.Events.SimulationRandom(seed);
        return [.. Enumerable.Range(0, count).Select(_ =>
        {
            var commits = rate * (1 + (noise * ((2 * random.NextDouble()) - 1)));
            return new LoadInterval(1, (long)commits, (long)(commits * aborts), open);
        })];
    }
}
