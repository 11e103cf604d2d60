using Polyjuice.Lab.Training;
using Polyjuice.Policies;
using Polyjuice.Training;
using Polyjuice.Training.Races;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;

namespace Polyjuice.Lab.Tests.Training;

public class NothingLearnedTests
{
    [Fact]
    public void One_that_was_there_and_is_better_than_what_is_in_force_is_advised()
    {
        var said = NothingLearned.Of(Training(Trial("ic3", 99, 100, 101), Trial("dirty-public", 199, 200, 201)), "ic3");

        Assert.Contains("does not beat dirty-public beyond chance", said, StringComparison.Ordinal);
        Assert.Contains(
            "dirty-public, which is there already, makes +100% in these replays beside ic3", said,
            StringComparison.Ordinal);
        Assert.Contains("options.Policy = \"dirty-public\"", said, StringComparison.Ordinal);
    }

    [Fact]
    public void Where_what_is_in_force_is_among_the_best_no_other_is_advised()
    {
        var said = NothingLearned.Of(
            Training(Trial("ic3", 190, 200, 210), Trial("dirty-public", 205, 195, 202)), "ic3");

        Assert.DoesNotContain("UsePolyjuice", said, StringComparison.Ordinal);
        Assert.EndsWith("--budget.", said, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true, "But locking, which is there already, makes +50% there beside ic3, which is in force")]
    [InlineData(false, "Search for longer with --budget.")]
    public void After_a_race_what_was_measured_on_the_cluster_counts(bool isClear, string expected)
    {
        var (own, locking, ic3) = (Table("learned-1"), Table("locking"), Table("ic3"));
        double[] before = isClear ? [100, 101, 99] : [100, 300, 40];
        var race = new RaceVerdict(
            [
                new(own, [151, 150, 149], IsOut: false), new(locking, [150, 151.5, 148.5], IsOut: false),
                new(ic3, before, IsOut: true)
            ],
            own, locking, [(150, 150), (151, 150)], new(1, 0.9, 1.1));

        var said = NothingLearned.Of(Training(Trial("ic3", 99, 100, 101)).DecidedBy(race), "ic3");

        Assert.Contains(
            "on the cluster no table that was found beats locking beyond chance", said, StringComparison.Ordinal);
        Assert.Contains(expected, said, StringComparison.Ordinal);
        Assert.Equal(isClear, said.Contains("options.Policy = \"locking\"", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(0.001, 0.004, "has few conflicts (at most 0.4% of the attempts aborted")]
    [InlineData(0.001, 0.3, "Search for longer with --budget.")]
    public void A_longer_search_is_advised_only_where_there_are_conflicts(double least, double most, string expected)
    {
        var said = NothingLearned.Of(
            Training(
                Trial("ic3", 199, 200, 201) with { Replays = [Replay(least)] },
                Trial("occ", 199, 200, 201) with { Replays = [Replay(most)] }),
            "ic3");

        Assert.Contains(expected, said, StringComparison.Ordinal);
        Assert.Equal(most > 0.1, said.Contains("--budget", StringComparison.Ordinal));
    }

    private static ReplayScore Replay(double aborted) => new(200, aborted, 1, 1, 200, 0, 1_000_000, 1, false, 0);

    private static PolicyDocument Table(string name) => BuiltinPolicies.Get("occ").Document with { Name = name };

    private static TrainingResult Training(params TrialResult[] baselines) =>
        new(
            BuiltinPolicies.Get("occ").Document with { Name = "learned" },
            Trial("learned", 150, 160, 155),
            baselines,
            [],
            1,
            TimeSpan.Zero,
            WasEnded: false);

    private static TrialResult Trial(string name, params double[] scores) => new(name, scores, []);
}
