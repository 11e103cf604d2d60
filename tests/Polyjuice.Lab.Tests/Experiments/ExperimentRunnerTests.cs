using Polyjuice.Lab.Experiments;

namespace Polyjuice.Lab.Tests.Experiments;

public sealed class ExperimentRunnerTests
{
    private readonly List<string> _order = [];

    [Fact]
    public async Task Each_round_measures_every_arm_once_and_the_first_does_not_count()
    {
        var points = await new ExperimentRunner(3, _ => { }).RunAsync(
            [Arm("a", round => round), Arm("b", round => 10 * round)], CancellationToken.None);
        Assert.Equal(8, _order.Count);
        Assert.All(_order.Chunk(2), round => Assert.Equal(["a", "b"], round.Order()));
        Assert.Equal([new Spread(2, 1, 3), new Spread(20, 10, 30)], points.Select(point => point.Figures["rate"]));
        Assert.Equal(20, points[1]["rate"]);
        Assert.Equal(0, points[1]["unknown"]);
    }

    [Fact]
    public async Task Series_are_compared_round_by_round()
    {
        // A machine that gets faster: medians would say 20/30, and which are paired decides.
        var runner = new ExperimentRunner(3, _ => { }) { Ratios = [new("rate", "b"), new("rate", "unknown")] };
        var points = await runner.RunAsync(
            [Arm("a", round => round * 2), Arm("b", round => round * (round == 3 ? 1 : 4)), Elsewhere("a")],
            CancellationToken.None);
        Assert.Equal(new Spread(0.5, 0.5, 2), points[0].Figures["rate ÷ b"]);
        Assert.Equal(["rate"], points[1].Figures.Keys);
        Assert.Equal(["rate"], points[2].Figures.Keys);

        ExperimentArm Elsewhere(string series) =>
            new("panel", series, 2, (_, _) => Task.FromResult<IReadOnlyDictionary<string, double>>(Rate(1)));
    }

    [Fact]
    public async Task Nothing_is_divided_by_nothing()
    {
        var runner = new ExperimentRunner(2, _ => { }) { Ratios = [new("rate", "b")] };
        var points = await runner.RunAsync([Arm("a", _ => 3), Arm("b", round => round - 1)], CancellationToken.None);
        Assert.Equal(new Spread(3, 3, 3), points[0].Figures["rate ÷ b"]);
    }

    [Fact]
    public async Task Rounds_begin_at_different_arms()
    {
        await new ExperimentRunner(1, _ => { }).RunAsync([Arm("a", _ => 1), Arm("b", _ => 1)], CancellationToken.None);
        Assert.Equal(["a", "b", "b", "a"], _order);
    }

    [Fact]
    public async Task Of_many_curves_some_are_enough_to_warm_up()
    {
        var names = Enumerable.Range(0, 12).Select(i => $"{(char)('a' + i)}").ToList();
        await new ExperimentRunner(1, _ => { }).RunAsync(
            [.. names.Select(name => Arm(name, _ => 1)), .. names.Select(name => Arm(name, _ => 1))],
            CancellationToken.None);
        Assert.Equal(["a", "c", "e", "g", "i", "k"], _order[..6]);
        Assert.Equal(6 + 24, _order.Count);
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
    public async Task A_measurement_may_be_a_curve_by_itself()
    {
        var arm = new ExperimentArm(
            "panel",
            "a",
            (round, _) => Task.FromResult<IReadOnlyList<ArmSample>>([
                new(1, Rate(round)), new(2, Rate(10 * round)), new(0, Rate(7)) { Panel = "sum" }
            ]));
        var points = await new ExperimentRunner(2, _ => { }).RunAsync([arm], CancellationToken.None);
        Assert.Equal(
            [("panel", 1, 1.5), ("panel", 2, 15), ("sum", 0, 7)],
            points.Select(point => (point.Panel, point.X, point["rate"])));
    }

    [Fact]
    public async Task What_can_be_measured_in_slices_takes_turns_with_all_others_of_its_place()
    {
        var lines = new List<string>();
        var runner = new ExperimentRunner(2, lines.Add) { WarmsUp = false, Ratios = [new("rate", "b")] };
        var points = await runner.RunAsync(
            [InTurns("a", 1, 6), InTurns("b", 1, 3), InTurns("c", 2, 5), Arm("d", _ => 1)], CancellationToken.None);
        var places = _order.Where(slice => slice[0] is 'a' or 'b').Chunk(2).ToList();
        Assert.Equal(6, places.Count);
        Assert.All(places, cycle => Assert.Equal(["a", "b"], cycle.Order()));
        Assert.Equal(["c", "c", "c"], _order.SkipWhile(slice => slice != "c").Take(3));
        Assert.Equal(2, points.Single(point => point.Series == "a").Figures["rate ÷ b"].Median);
        Assert.Equal(8, lines.Count);
        Assert.All(lines, (line, i) => Assert.Contains($", {i + 1} of 8, ", line, StringComparison.Ordinal));
    }

    [Fact]
    public async Task What_fails_in_its_turn_does_not_keep_the_others_waiting()
    {
        var failing = new ExperimentArm("panel", "b", 1, async (_, turn, _) =>
        {
            await turn.TakeAsync();
            throw new InvalidOperationException("It does not add up.");
        });
        var failure = await Assert.ThrowsAsync<InvalidOperationException>(
            () => new ExperimentRunner(1, _ => { }) { WarmsUp = false }.RunAsync(
                [InTurns("a", 1, 6), failing], CancellationToken.None));
        Assert.Equal("It does not add up.", failure.Message);
        Assert.Equal(["a", "a", "a"], _order);
    }

    [Fact]
    public async Task Progress_says_how_far_it_is_and_how_long_it_will_still_take()
    {
        var lines = new List<string>();
        await new ExperimentRunner(1, lines.Add) { WarmsUp = false }.RunAsync(
            [Arm("a", _ => 1), Arm("b", _ => 1)], CancellationToken.None);
        Assert.StartsWith("[1/1, 1 of 2, 0:00 left] panel, b at 1: rate 1", lines[0], StringComparison.Ordinal);
        Assert.Equal(2, lines.Count);
    }

    private ExperimentArm InTurns(string series, double x, double rate) => new("panel", series, x, async (_, turn, _) =>
    {
        for (var slice = 0; slice < 3; slice++)
        {
            await turn.TakeAsync();
            _order.Add(series);
            turn.Pass();
        }

        return (IReadOnlyDictionary<string, double>)Rate(rate);
    });

    private ExperimentArm Arm(string series, Func<int, double> rate) => new("panel", series, 1, (round, _) =>
    {
        _order.Add(series);
        return Task.FromResult<IReadOnlyDictionary<string, double>>(Rate(rate(round)));
    });

    private static Dictionary<string, double> Rate(double value) => new() { ["rate"] = value };
}
