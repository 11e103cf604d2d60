using Polyjuice.Contracts;
using Polyjuice.Diagnostics;
using Polyjuice.LiveView.Measuring;
using Polyjuice.Policies;

namespace Polyjuice.LiveView.Tests.Measuring;

public sealed class ConflictViewTests
{
    private readonly Clock _clock = new();
    private readonly Engines _engines = new();

    [Fact]
    public void The_hottest_of_all_engines_come_first_and_no_more_than_are_shown()
    {
        var view = new ConflictView(_engines, _clock);
        Assert.Empty(view.Look());
        _engines.Reports.Add(
            new(
                new NodeId(1),
                new ConflictReport(1, [.. Enumerable.Range(0, ConflictView.Max).Select(i => Grain($"a{i}", 10))])));
        _engines.Reports.Add(new(new NodeId(2), new ConflictReport(1, [Grain("b", 99)])));
        var grains = view.Look();
        Assert.Equal((ConflictView.Max, "b"), (grains.Count, grains[0].Grain));
    }

    [Fact]
    public void An_engine_that_reports_nothing_new_is_left_out_after_a_while()
    {
        var view = new ConflictView(_engines, _clock);
        _engines.Reports.Add(new(new NodeId(1), new ConflictReport(1, [Grain("a", 1)])));
        Assert.Single(view.Look());
        _clock.Now += ConflictView.Lasting;
        Assert.Empty(view.Look());
        _engines.Reports[0] = new(new NodeId(1), new ConflictReport(2, [Grain("a", 1)]));
        Assert.Single(view.Look());
    }

    [Fact]
    public void Who_keeps_a_record_asks_engines_only_while_somebody_looks()
    {
        var view = new ConflictView(_engines, _clock);
        _engines.Reports.Add(new(new NodeId(1), new ConflictReport(1, [Grain("a", 1)])));
        Assert.Empty(view.WhileLookedAt());
        Assert.Equal(0, _engines.Asked);
        view.Look();
        Assert.Single(view.WhileLookedAt());
        _clock.Now += TimeSpan.FromSeconds(11);
        _engines.Reports[0] = new(new NodeId(1), new ConflictReport(2, [Grain("a", 1)]));
        Assert.Empty(view.WhileLookedAt());
        Assert.Equal(2, _engines.Asked);
    }

    private static HotGrain Grain(string name, double conflicts) => new(name, "state", conflicts, 0.5);

    private sealed class Engines : IEngineInspection
    {
        public List<KeyValuePair<NodeId, ConflictReport>> Reports { get; } = [];

        public IReadOnlyList<PolicyInForce> Policies => [];

        public PolicyDocument? Describe(IPolicyCompiler policy) => null;

        public int Asked { get; private set; }

        public IReadOnlyList<KeyValuePair<NodeId, ConflictReport>> Conflicts()
        {
            Asked++;
            return Reports;
        }
    }

    private sealed class Clock : TimeProvider
    {
        public TimeSpan Now { get; set; }

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => Now.Ticks;
    }
}
