using Polyjuice.Lab.Experiments;
using Polyjuice.Lab.Experiments.Sweeps;
using static Polyjuice.Lab.Tests.Experiments.TestResults;

namespace Polyjuice.Lab.Tests.Experiments.Sweeps;

public class WinnersTests
{
    private static readonly ExperimentPoint[] _points =
    [
        Point("p", "occ", 1, 50), Point("p", "mine", 1, 100), Point("p", "locking", 1, 70), Point("p", "occ", 2, 5)
    ];

    [Fact]
    public void The_best_table_is_named_with_how_it_compares() =>
        Assert.Equal(
            "p at 1: mine is best with 100/s, then locking with 70/s, 1.4 times locking, 2.0 times occ.",
            Winners.Of(_points).Single().Text);

    [Fact]
    public void Whether_the_best_beats_others_by_a_factor_is_claimed_for_each()
    {
        var findings = Winners.BestBeats(_points, "p", 1, 1.5, "locking", "occ", "missing")
            .ToDictionary(finding => finding.Text.Contains("occ", StringComparison.Ordinal), finding => finding.Holds);
        Assert.Equal(2, findings.Count);
        Assert.True(findings[true]);
        Assert.False(findings[false]);
        Assert.Empty(Winners.BestBeats(_points, "p", 9, 1.5, "occ"));
    }

    [Fact]
    public void Tables_that_fall_below_a_share_of_another_are_named()
    {
        var finding = Winners.NoneBelow(_points, "p", 1, 0.9, "locking").Single();
        Assert.False(finding.Holds);
        Assert.Contains("below are occ 50/s", finding.Text, StringComparison.Ordinal);
        Assert.True(Winners.NoneBelow(_points, "p", 1, 0.7, "locking").Single().Holds);
        Assert.Empty(Winners.NoneBelow(_points, "p", 2, 0.9, "locking"));
    }
}
