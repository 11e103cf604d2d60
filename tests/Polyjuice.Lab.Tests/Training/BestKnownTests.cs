using Polyjuice.Lab.Tool.Training;
using Polyjuice.Training.Search;

namespace Polyjuice.Lab.Tests.Training;

public class BestKnownTests
{
    private static readonly KnownTable[] s_builtIn = [new("occ", 500), new("locking", 900)];

    [Fact]
    public void Searches_are_held_to_the_best_table_that_any_of_them_came_by()
    {
        SearchCurve[] curves =
        [
            Curve("ours", 1, (10, 900, 2), (50, 950, 9), (90, 1_000, 20)),
            Curve("ours", 2, (10, 900, 2), (70, 960, 11)),
            Curve("ours", 3, (10, 900, 2), (30, 950, 5)),
            Curve("ea", 1, (10, 900, 2), (300, 960, 60)),
            Curve("ea", 2, (10, 900, 2), (300, 940, 60)),
            Curve("ea", 3, (10, 900, 2), (300, 930, 60)),
        ];

        var findings = BestKnown.Findings(curves, s_builtIn, []).Select(finding => finding.Text).ToList();

        Assert.Equal("the best known table is a table of ours with seed 1: 1,000/s.", findings[0]);
        Assert.Equal(
            "ours comes to 95% of it (950/s) after 50 replays and 9.0 s in the median; reached with 3 of 3 seeds.",
            findings[1]);
        Assert.Equal("ea has not reached 95% of it (950/s) in the median; reached with 1 of 3 seeds.", findings[3]);
    }

    [Fact]
    public void A_table_that_is_known_to_be_better_is_what_they_are_held_to()
    {
        SearchCurve[] curves = [Curve("ours", 1, (10, 900, 2), (90, 1_000, 20))];

        var findings = BestKnown.Findings(curves, s_builtIn, [new("learned", 1_100)]).Select(finding => finding.Text)
            .ToList();

        Assert.Equal("the best known table is learned: 1,100/s.", findings[0]);
        Assert.Equal("ours has not reached 95% of it (1,045/s) in the median; reached with 0 of 1 seeds.", findings[1]);
    }

    [Theory]
    [InlineData(882, true, "98.0%")]
    [InlineData(880, false, "97.8%")]
    public void No_search_is_to_end_far_below_the_best_built_in_table(double end, bool holds, string share)
    {
        SearchCurve[] curves = [Curve("ours", 1, (10, 900, 2)), Curve("ours", 2, (10, 900, 2), (90, end, 20))];

        var finding = BestKnown.Findings(curves, s_builtIn, [new("learned", 1_100)]).Last();

        Assert.Equal(holds, finding.Holds);
        Assert.StartsWith(
            $"ours ends at {share} of the best built-in table (locking, 900/s) with its worst seed", finding.Text,
            StringComparison.Ordinal);
    }

    private static SearchCurve Curve(
        string search, ulong seed, params (long Evaluations, double Score, double Seconds)[] checkpoints) =>
        new(
            search,
            seed,
            [
                .. checkpoints.Select(
                    one => new SearchCheckpoint(one.Evaluations, one.Score, TimeSpan.FromSeconds(one.Seconds)))
            ]);
}
