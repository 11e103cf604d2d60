using Polyjuice.Reconnaissance;

namespace Polyjuice.Tests.Reconnaissance;

/// <summary>Which of two ways of letting transactions in commits more, found out by trying.</summary>
public class AdmissionTrialTests
{
    private readonly AdmissionTrial _trial = new(0);
    private long _now;

    [Fact]
    public void What_commits_more_is_kept()
    {
        Run(windows: 400, running: 10, reserving: 20);
        Assert.True(_trial.IsReserving);
        Assert.True(ShareReserving(windows: 2_000, running: 10, reserving: 20) > 0.95);
    }

    [Fact]
    public void What_commits_less_is_given_up_and_tried_ever_more_rarely()
    {
        Assert.InRange(ShareReserving(windows: 100, running: 20, reserving: 10), 0.01, 0.4);
        Assert.InRange(ShareReserving(windows: 5_000, running: 20, reserving: 10), 0.001, 0.05);
        Assert.False(_trial.IsReserving);
    }

    [Fact]
    public void It_changes_its_mind_when_the_load_does()
    {
        Run(windows: 1_000, running: 10, reserving: 20);
        Assert.True(_trial.IsReserving);
        Run(windows: 2_000, running: 20, reserving: 10);
        Assert.False(_trial.IsReserving);
    }

    [Fact]
    public void Nothing_is_tried_without_need() => Assert.Equal(0, ShareReserving(windows: 1_000, running: 10, reserving: 20, mayReserve: false));

    [Fact]
    public void Where_next_to_nothing_commits_time_ends_a_window()
    {
        for (var i = 0; i < 100; i++)
        {
            _now += AdmissionTrial.WindowMicroseconds;
            _trial.Ended(hasCommitted: _trial.IsReserving, mayReserve: true, _now);
        }

        Assert.True(_trial.IsReserving);
    }

    private void Run(int windows, int running, int reserving) => ShareReserving(windows, running, reserving);

    /// <summary>Has transactions commit at one rate or the other, in commits a millisecond, and says how much of the time they reserved.</summary>
    private double ShareReserving(int windows, int running, int reserving, bool mayReserve = true)
    {
        var reserved = 0;
        var commits = windows * AdmissionTrial.WindowCommits;
        for (var i = 0; i < commits; i++)
        {
            _now += 1_000 / (_trial.IsReserving ? reserving : running);
            if (_trial.IsReserving) reserved++;
            _trial.Ended(hasCommitted: true, mayReserve, _now);
        }

        return (double)reserved / commits;
    }
}
