using Polyjuice.Lab.Tool.Training;
using Polyjuice.Training.Search;

namespace Polyjuice.Lab.Tests.Training;

public class SearchComparisonResultTests
{
    [Theory]
    [InlineData(100, true)]
    [InlineData(101, false)]
    public void Ours_is_held_to_a_third_of_what_the_evolutionary_algorithm_needs(long ours, bool holds)
    {
        var findings = SearchComparisonResult.Findings([
            Curve("ours", (10, 500), (ours, 1_000)),
            Curve("ea", (10, 500), (300, 995), (400, 1_000)),
            Curve("gradient", (10, 500))
        ])
            .ToList();

        Assert.Contains(
            findings,
            finding => finding.Text.StartsWith(
                "ea comes to 99% of where ea ends (990/s) after 300 replays", StringComparison.Ordinal));
        Assert.Contains(
            findings,
            finding => finding.Text.StartsWith(
                "gradient comes to 99% of where ea ends (990/s) never", StringComparison.Ordinal));
        Assert.Equal(holds, findings[^1].Holds);
    }

    [Fact]
    public void Where_the_evolutionary_algorithm_gains_nothing_nothing_is_claimed()
    {
        var findings = SearchComparisonResult.Findings([
            Curve("ours", (10, 500), (20, 600)), Curve("ea", (10, 500), (300, 505))
        ])
            .ToList();

        Assert.All(findings, finding => Assert.Null(finding.Holds));
        Assert.Contains("more --evaluations", findings[^1].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Without_the_evolutionary_algorithm_nothing_is_claimed() =>
        Assert.All(SearchComparisonResult.Findings([Curve("ours", (10, 500))]), finding => Assert.Null(finding.Holds));

    private static SearchCurve Curve(string search, params (long Evaluations, double Score)[] checkpoints) =>
        new(search, 1, [.. checkpoints.Select(one => new SearchCheckpoint(one.Evaluations, one.Score))]);
}
