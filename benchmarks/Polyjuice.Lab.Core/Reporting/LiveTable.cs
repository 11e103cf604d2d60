using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Spectre.Console;

namespace Polyjuice.Lab.Reporting;

/// <summary>A table with a line per arm, redrawn as the figures come in.</summary>
internal sealed class LiveTable(LiveDisplayContext live) : IBenchmarkObserver
{
    private readonly Dictionary<BenchmarkArm, Line> _lines = [];
    private BenchmarkPlan? _plan;
    private int _loaded;

    public void Started(BenchmarkPlan plan, IReadOnlyList<BenchmarkArm> arms)
    {
        _plan = plan;
        foreach (var arm in arms) _lines.Add(arm, new Line());
        Draw();
    }

    public void WarmingUp()
    {
        foreach (var line in _lines.Values) line.Status = "[grey]warming up[/]";
        Draw();
        foreach (var line in _lines.Values) line.Status = "";
    }

    public void Loading(double share)
    {
        // As often as a person can follow.
        var percent = (int)(share * 100);
        if (percent == _loaded) return;
        _loaded = percent;
        foreach (var line in _lines.Values.Where(line => line.Status.Contains('[')))
            line.Status = $"[yellow]loading {percent}%[/]";
        Draw();
    }

    public void ArmStarted(BenchmarkArm arm, int round)
    {
        _lines[arm].Status = "[yellow]warming up[/]";
        Draw();
    }

    public void Progress(BenchmarkArm arm, long committed, TimeSpan elapsed)
    {
        var line = _lines[arm];
        line.Status = $"[yellow]{elapsed.TotalSeconds:0.0} s[/]";
        line.Throughput = elapsed > TimeSpan.Zero ? Figures.Rate(committed / elapsed.TotalSeconds) : "";
        Draw();
    }

    public void ArmEnded(BenchmarkArm arm, int round, IntervalSample sample, InvariantCheck check)
    {
        var line = _lines[arm];
        line.Status = _plan!.Repeat > 1 ? $"round {round} of {_plan.Repeat}" : "done";
        line.Throughput = Figures.Rate(sample.CommittedPerSecond);
        line.P50 = Figures.Milliseconds(sample.Latency.Percentile(50).TotalMilliseconds);
        line.P99 = Figures.Milliseconds(sample.Latency.Percentile(99).TotalMilliseconds);
        line.Check = check.Holds ? "[green]ok[/]" : $"[red]{check.Description.EscapeMarkup()}[/]";
        Draw();
    }

    private void Draw()
    {
        var table = new Table
        {
            Border = TableBorder.Rounded,
            Title = new TableTitle($"{_plan!.Workload.Name} — Ctrl-C ends with what has been measured".EscapeMarkup())
        };
        table.AddColumns("θ", "policy");
        foreach (var title in new[] { "committed/s", "p50 ms", "p99 ms" })
            table.AddColumn(new TableColumn(title) { Alignment = Justify.Right });
        table.AddColumns("", "invariant");
        foreach (var (arm, line) in _lines)
            table.AddRow(
                Figures.Theta(arm.Theta),
                arm.Label.EscapeMarkup(),
                line.Throughput,
                line.P50,
                line.P99,
                line.Status,
                line.Check);
        live.UpdateTarget(table);
    }

    private sealed class Line
    {
        public string Throughput { get; set; } = "";

        public string P50 { get; set; } = "";

        public string P99 { get; set; } = "";

        public string Status { get; set; } = "";

        public string Check { get; set; } = "";
    }
}
