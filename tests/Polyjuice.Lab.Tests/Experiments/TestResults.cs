using Polyjuice.Lab.Experiments;

namespace Polyjuice.Lab.Tests.Experiments;

/// <summary>Points and results to draw and to judge.</summary>
internal static class TestResults
{
    public static ExperimentPoint Point(string panel, string series, double x, double rate, double spread = 0) =>
        new(
            panel,
            series,
            x,
            new Dictionary<string, Spread> { ["committed/s"] = new(rate, rate - spread, rate + spread) });

    public static ExperimentResult Result(params IReadOnlyList<ExperimentPoint> points) => new()
    {
        Experiment = "test", Description = "Something <bold>.", Scale = "quick", IsComplete = true,
        Settings = new Dictionary<string, string> { ["seed"] = "1" }, Commit = "abc", Machine = "a machine",
        Panels =
        [
            new("p", "clients", ChartKind.LogarithmicCurves), new("bars", "warehouses", ChartKind.Bars),
            new("time", "seconds", ChartKind.Time) { Marks = [new(2, "to ic3")] }
        ],
        Drawn = [new("committed/s", "committed a second")],
        Findings = [new("it is good.", true), new("it is <fast>.", false), new("it is.")], Points = points,
    };
}
