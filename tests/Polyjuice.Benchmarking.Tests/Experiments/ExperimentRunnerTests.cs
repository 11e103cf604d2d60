using Polyjuice.Benchmarking.Experiments;

namespace Polyjuice.Benchmarking.Tests.Experiments;

public sealed class ExperimentRunnerTests
{
    private readonly List<string> _order = [];

    [Fact]
    public async Task Each_round_measures_every_arm_once_and_the_first_does_not_count()
    {
        var points = await new ExperimentRunner(3, _ => { }).RunAsync([Arm("a", round => round), Arm("b", round => 10 * round)], CancellationToken.None);
        Assert.Equal(8, _order.Count);
        Assert.All(_order.Chunk(2), round => Assert.Equal(["a", "b"], round.Order()));
        Assert.Equal([new Spread(2, 1, 3), new Spread(20, 10, 30)], points.Select(point => point.Figures["rate"]));
        Assert.Equal(20, points[1]["rate"]);
        Assert.Equal(0, points[1]["unknown"]);
    }

    [Fact]
    public async Task Rounds_begin_at_different_arms()
    {
        await new ExperimentRunner(1, _ => { }).RunAsync([Arm("a", _ => 1), Arm("b", _ => 1)], CancellationToken.None);
        Assert.Equal(["a", "b", "b", "a"], _order);
    }

    [Fact]
    public async Task What_was_measured_before_a_cancellation_is_given()
    {
        using var enough = new CancellationTokenSource();
        var points = await new ExperimentRunner(5, _ => { }).RunAsync(
            [Arm("a", _ => 1), Arm("b", round =>
            {
                if (round == 2) enough.Cancel();
                return round;
            })],
            enough.Token);
        Assert.Equal(new Spread(1, 1, 1), points.Single(point => point.Series == "b").Figures["rate"]);
    }

    [Fact]
    public async Task Charts_draw_every_series_and_escape_what_they_name()
    {
        var points = await new ExperimentRunner(1, _ => { }).RunAsync([Arm("a<b", _ => 7), Arm("c", _ => 3)], CancellationToken.None);
        var svg = System.Xml.Linq.XDocument.Parse(SvgPage.Write(points, [("rate", "a rate")], _ => ("x", true)));
        Assert.Equal(2, svg.Descendants().Count(element => element.Name.LocalName == "polyline"));
        Assert.Contains(svg.Descendants(), element => element.Value == "a<b");
        Assert.Contains("\"median\": 7", ExperimentJson.Write("test", new Dictionary<string, string> { ["seed"] = "1" }, points), StringComparison.Ordinal);
    }

    private ExperimentArm Arm(string series, Func<int, double> rate) => new("panel", series, 1, (round, _) =>
    {
        _order.Add(series);
        return Task.FromResult<IReadOnlyDictionary<string, double>>(new Dictionary<string, double> { ["rate"] = rate(round) });
    });
}
