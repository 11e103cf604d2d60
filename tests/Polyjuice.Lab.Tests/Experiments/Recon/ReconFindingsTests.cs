using Polyjuice.Lab.Experiments;
using Polyjuice.Lab.Experiments.Recon;

namespace Polyjuice.Lab.Tests.Experiments.Recon;

public sealed class ReconFindingsTests
{
    private static readonly string _warm = ReconExperiment.PanelOf(TimeSpan.Zero, isCold: false);

    [Fact]
    public void What_makes_more_in_most_rounds_is_the_better_one()
    {
        // By medians of all rounds run would be the better one.
        var text = Sentence([
            Point(1.5, "run", 100),
            Point(1.5, "reserve", 90, ("run", 1.2)),
            Point(1.5, "auto", 95, ("run", 1.1), ("reserve", 0.95))
        ]);
        Assert.Contains(
            "auto makes 95 % (95 %–95 %, reserve) of the better of run and reserve", text, StringComparison.Ordinal);
    }

    [Fact]
    public void The_place_where_auto_does_worst_decides()
    {
        var findings = ReconFindings.Of(
        [
            Point(0.9, "run", 100), Point(0.9, "reserve", 90, ("run", 0.9)),
            Point(0.9, "auto", 89, ("run", 0.89), ("reserve", 1)), Point(1.5, "run", 100),
            Point(1.5, "reserve", 90, ("run", 0.9)), Point(1.5, "auto", 100, ("run", 1), ("reserve", 1.1)),
        ]);
        var claim = Assert.Single(findings, finding => finding.Holds is not null);
        Assert.False(claim.Holds);
        Assert.EndsWith(
            "least, 89 % (89 %–89 %, run), at warm grains, storage 0 ms, θ 0.9.", claim.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0.56, 0.98, true, true)]
    [InlineData(0.54, 0.96, false, false)]
    public void Without_skew_a_dry_run_may_cost_something_and_auto_next_to_nothing(
        double dry, double auto, bool dryHolds, bool autoHolds)
    {
        var claims = ReconFindings.Of([
            Point(0, "run", 100),
            Point(0, "dry-run", 100 * dry, ("run", dry)),
            Point(0, "auto", 100 * auto, ("run", auto))
        ])
            .Where(finding => finding.Holds is not null).ToList();
        Assert.Equal([dryHolds, autoHolds], claims.Select(claim => claim.Holds!.Value));
    }

    [Fact]
    public void Nothing_is_said_of_what_was_not_measured()
    {
        Assert.Empty(ReconFindings.Of([Point(0, "occ", 100)]));
        Assert.DoesNotContain("locking", Sentence([Point(1.5, "reserve", 90)]), StringComparison.Ordinal);
    }

    private static string Sentence(IReadOnlyList<ExperimentPoint> points) =>
        ReconFindings.Of(points).First(finding => finding.Holds is null).Text;

    private static ExperimentPoint Point(
        double x, string series, double rate, params (string Base, double Ratio)[] ratios)
    {
        var figures = new Dictionary<string, Spread> { [ReconFindings.Rate] = new(rate, rate, rate) };
        foreach (var (divisor, ratio) in ratios) figures.Add(
            new PairedRatio(ReconFindings.Rate, divisor).Name, new(ratio, ratio, ratio));
        return new(_warm, series, x, figures);
    }
}
