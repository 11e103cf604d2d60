using Polyjuice.Training.Search;

namespace Polyjuice.Training.Tests.Search;

public class RungLevelsTests
{
    private static readonly double[] s_levels = [100, 50, 80];

    [Fact]
    public void Tables_are_worth_the_same_whatever_rungs_they_were_on()
    {
        Standing[] standings = [At(1, 0, 1, 2), At(1.1, 0, 1), At(1.1, 2), At(0.9, 1, 2), At(0.9, 0)];

        Judge(standings);

        Assert.Equal([1, 1.1, 1.1, 0.9, 0.9], standings.Select(standing => Math.Round(standing.Mean, 9)));
        Assert.All(standings, standing => Assert.Equal(0, standing.Spread.Squares, 9));
    }

    [Fact]
    public void A_rung_on_which_the_reference_was_lucky_does_not_make_others_bad_that_were_on_it()
    {
        // The reference makes half as much again on the last rung, and nobody else does.
        var reference = At(1, 0, 1);
        reference.Add(2, 1.5 * s_levels[2]);
        Standing[] standings =
        [
            reference, .. Enumerable.Range(0, 8).Select(_ => At(1, 0, 1, 2)), At(1, 0, 1), At(1, 2)
        ];

        Judge(standings);

        Assert.InRange(standings[^1].Mean / standings[^2].Mean, 0.95, 1.0);
    }

    [Fact]
    public void Before_anything_was_on_two_rungs_the_reference_is_the_level()
    {
        Standing[] standings = [At(1, 0), At(1.2, 0)];

        Judge(standings);

        Assert.Equal([1, 1.2], standings.Select(standing => Math.Round(standing.Mean, 9)));
    }

    [Fact]
    public void A_table_that_commits_nothing_is_worth_nothing()
    {
        Standing[] standings = [At(1, 0, 1), At(0, 0, 1), At(1.2, 0, 1)];

        Judge(standings);

        Assert.Equal([1, 0, 1.2], standings.Select(standing => Math.Round(standing.Mean, 6)));
    }

    private static Standing At(double worth, params int[] rungs)
    {
        var standing = new Standing(new Candidate([0]));
        foreach (var rung in rungs) standing.Add(rung, worth * s_levels[rung]);
        return standing;
    }

    private static void Judge(Standing[] standings)
    {
        var levels = RungLevels.Of(standings, standings[0]);
        foreach (var standing in standings) standing.Judge(levels);
    }
}
