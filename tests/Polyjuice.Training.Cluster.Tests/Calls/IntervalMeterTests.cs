using Polyjuice.Contracts;
using Polyjuice.Tracing;
using Polyjuice.Training.Calls;
using Polyjuice.Training.Cluster.Calls;

namespace Polyjuice.Training.Cluster.Tests.Calls;

public sealed class IntervalMeterTests
{
    private readonly ManualTime _time = new(DateTimeOffset.UnixEpoch);

    [Fact]
    public void What_ends_in_the_warm_up_does_not_count()
    {
        var meter = new IntervalMeter(100, _time);
        Add(meter, CallOutcome.Committed, 5);
        meter.Begin();
        Add(meter, CallOutcome.Committed, 8);
        Add(meter, CallOutcome.Refused, 1);
        Add(meter, CallOutcome.GivenUp, 1);
        Pass(2);
        var sample = meter.End();

        Assert.Equal((8, 1, 1), (sample.Committed, sample.Refused, sample.Failed));
        Assert.Equal(4, sample.CommittedPerSecond);
        Assert.Equal(0.1, sample.RefusedShare, 9);
        Assert.Equal(["GivenUp", "Refused"], sample.Reasons.Keys);
    }

    [Fact]
    public void The_warm_up_is_over_at_the_latest_when_so_many_calls_have_ended()
    {
        var meter = new IntervalMeter(3, _time);
        Add(meter, CallOutcome.Committed, 5);
        Assert.True(meter.Begun.IsCompleted);
        Pass(1);
        Assert.Equal(2, meter.End().CommittedPerSecond);
    }

    [Fact]
    public void What_ends_after_the_interval_does_not_count_and_neither_does_the_time()
    {
        var meter = new IntervalMeter(0, _time);
        meter.Begin();
        Add(meter, CallOutcome.Committed, 6);
        Pass(2);
        meter.End();
        Assert.True(meter.Ended.IsCompleted);
        Add(meter, CallOutcome.Committed, 6);
        Pass(8);
        Assert.Equal(3, meter.End().CommittedPerSecond);
    }

    [Fact]
    public void Latency_is_of_what_committed()
    {
        var meter = new IntervalMeter(0, _time);
        meter.Begin();
        for (var i = 1; i <= 100; i++)
            meter.Add(new ReplayedCall(i, new CallEnd(CallOutcome.Committed), TimeSpan.FromMilliseconds(i)));
        meter.Add(new ReplayedCall(0, new CallEnd(CallOutcome.Refused, "Refused"), TimeSpan.FromMinutes(1)));
        Assert.Equal(TimeSpan.FromMilliseconds(99), meter.End().P99);
    }

    private void Pass(double seconds) => _time.MoveTo(_time.GetUtcNow() + TimeSpan.FromSeconds(seconds));

    private static void Add(IntervalMeter meter, CallOutcome outcome, int count)
    {
        for (var i = 0; i < count; i++)
            meter.Add(new ReplayedCall(i, new CallEnd(outcome, outcome.ToString()), TimeSpan.Zero));
    }
}
