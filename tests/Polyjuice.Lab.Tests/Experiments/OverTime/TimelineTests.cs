using Polyjuice.Lab.Experiments.OverTime;
using Polyjuice.Lab.Running;

namespace Polyjuice.Lab.Tests.Experiments.OverTime;

public class TimelineTests
{
    private static readonly BenchmarkArm _arm = new(null, 0);

    [Fact]
    public void Commits_between_two_reports_count_as_evenly_spread()
    {
        var timeline = new Timeline([], _ => { });
        Hear(timeline, (0.5, 50), (1.5, 250), (2, 250), (2.4, 290));
        // By one second, half of the 200 of the second report.
        Assert.Equal([150, 100], timeline.Rates(TimeSpan.FromSeconds(1)));
    }

    [Fact]
    public void Changes_are_made_when_they_are_due_and_each_once()
    {
        var made = new List<int>();
        var timeline = new Timeline(
            [TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1.2), TimeSpan.FromSeconds(3)], made.Add);
        Hear(timeline, (0.45, 0), (0.9, 1));
        Assert.Empty(made);
        Hear(timeline, (1.3, 2), (1.7, 2), (2, 3));
        Assert.Equal([0, 1], made);
        Hear(timeline, (2.4, 3), (2.8, 3), (3.25, 4), (3.7, 5));
        Assert.Equal([1.3, 1.3, 3.25], timeline.Changes.Select(at => at.TotalSeconds));
        Assert.Equal(TimeSpan.Zero, timeline.Delay);
    }

    [Fact]
    public void What_is_due_when_the_machine_stalls_comes_later_and_not_all_at_once()
    {
        var made = new List<int>();
        var timeline = new Timeline([TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2)], made.Add);
        Hear(timeline, (0.25, 1), (0.5, 2), (0.75, 3), (4.75, 4));
        Assert.Equal([0], made);
        Assert.Equal(TimeSpan.FromSeconds(3.75), timeline.Delay);
        Hear(timeline, (5, 5), (5.25, 6), (5.5, 7), (5.75, 8));
        Assert.Equal([4.75, 5.75], timeline.Changes.Select(at => at.TotalSeconds));
    }

    [Fact]
    public void Nothing_heard_is_no_second() => Assert.Empty(new Timeline([], _ => { }).Rates(TimeSpan.FromSeconds(1)));

    private static void Hear(Timeline timeline, params (double Seconds, long Committed)[] reports)
    {
        foreach (var (seconds, committed) in reports) timeline.Progress(_arm, committed, TimeSpan.FromSeconds(seconds));
    }
}
