using Polyjuice.Lab.Experiments;

namespace Polyjuice.Lab.Tests.Experiments;

public class ExperimentSessionTests
{
    [Fact]
    public async Task A_broken_invariant_ends_the_experiment_and_keeps_what_was_measured_before()
    {
        var result = await ExperimentSession.RunAsync(
            new Fake(fails: true), ExperimentScale.Quick, _ => { }, CancellationToken.None);
        Assert.Equal("MONEY NOT CONSERVED", result.Failure);
        Assert.False(result.IsComplete);
        Assert.Equal(["a"], result.Points.Select(point => point.Series));
        Assert.Empty(result.Findings);
    }

    [Fact]
    public async Task A_whole_run_says_what_it_found_where_and_with_what()
    {
        var result = await ExperimentSession.RunAsync(
            new Fake(fails: false), ExperimentScale.Quick, _ => { }, CancellationToken.None);
        Assert.True(result.IsComplete);
        Assert.Equal(
            ("quick", "2 points.", true),
            (result.Scale, result.Findings.Single().Text, result.Findings.Single().Holds));
        Assert.Contains("cores", result.Machine, StringComparison.Ordinal);
        Assert.NotEmpty(result.Commit);
    }

    [Fact]
    public async Task A_brief_run_claims_nothing()
    {
        var result = await ExperimentSession.RunAsync(
            new Fake(fails: false), ExperimentScale.Brief, _ => { }, CancellationToken.None);
        Assert.Null(result.Findings.Single().Holds);
    }

    [Fact]
    public async Task A_cancelled_run_is_not_whole()
    {
        var result = await ExperimentSession.RunAsync(
            new Fake(fails: false), ExperimentScale.Quick, _ => { }, new CancellationToken(canceled: true));
        Assert.False(result.IsComplete);
        Assert.Null(result.Failure);
        Assert.Empty(result.Points);
    }

    private sealed class Fake(bool fails) : IExperiment
    {
        public string Name => "fake";

        public string Description => "Nothing.";

        public ExperimentPlan Plan(ExperimentScale scale) => new()
        {
            // Rounds begin in the middle of the arms: with one round, the second one comes first.
            Arms =
            [
                Arm("b", () => fails ? throw new InvalidOperationException("MONEY NOT CONSERVED") : 1),
                Arm("a", () => 1)
            ],
            Rounds = 1, WarmsUp = false, Settings = new Dictionary<string, string>(), Drawn = [], Panels = [],
            Findings = points => [new($"{points.Count} points.", true)],
        };

        private static ExperimentArm Arm(string series, Func<double> rate) =>
            new(
                "p",
                series,
                1,
                (_, _) => Task.FromResult<IReadOnlyDictionary<string, double>>(new Dictionary<string, double>
                {
                    ["committed/s"] = rate()
                }));
    }
}
