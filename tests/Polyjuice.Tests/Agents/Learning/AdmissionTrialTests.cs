using Polyjuice.Agents;

namespace Polyjuice.Tests.Agents.Learning;

/// <summary>In which of three ways transactions take the least time, found out by trying.</summary>
public class AdmissionTrialTests
{
    private const int Open = 32;
    private readonly AdmissionTrial _trial = new(0);
    private long _now;
    private long _jitter;

    private bool IsReserving => _trial.Arm == AdmissionArm.Reserve;

    [Theory]
    [InlineData(30, 20, 10, nameof(AdmissionArm.Reserve))]
    [InlineData(30, 10, 20, nameof(AdmissionArm.KeepWrites))]
    [InlineData(10, 20, 30, nameof(AdmissionArm.HandOn))]
    [InlineData(10, 30, 20, nameof(AdmissionArm.HandOn))]
    public void The_best_of_three_is_kept_and_the_others_cost_next_to_nothing(
        int handingOn, int keeping, int reserving, string best)
    {
        Shares(seconds: 2, handingOn, keeping, reserving);
        Assert.True(Shares(seconds: 60, handingOn, keeping, reserving)[(int)Enum.Parse<AdmissionArm>(best)] > 0.95);
    }

    [Fact]
    public void All_others_are_tried_in_one_race_without_going_back_in_between()
    {
        var arms = Tried(handingOn: 10, keeping: 40, reserving: 20);
        Assert.Equal([AdmissionArm.HandOn, AdmissionArm.KeepWrites, AdmissionArm.Reserve, AdmissionArm.HandOn], arms);
    }

    [Fact]
    public void The_best_so_far_is_what_the_next_one_has_to_beat()
    {
        var arms = Tried(handingOn: 20, keeping: 5, reserving: 10);
        Assert.Equal(
            [AdmissionArm.HandOn, AdmissionArm.KeepWrites, AdmissionArm.Reserve, AdmissionArm.KeepWrites], arms);
    }

    [Theory]
    [InlineData(12, 60, nameof(AdmissionArm.KeepWrites))]
    [InlineData(60, 12, nameof(AdmissionArm.Reserve))]
    public void What_loses_much_is_tried_less_often_than_what_loses_little(int keeping, int reserving, string little)
    {
        var tries = new int[3];
        var before = _trial.Arm;
        while (_now < 20_000_000)
        {
            Commit(TimeOf(handingOn: 10, keeping, reserving), handsOn: true);
            if (_trial.Arm != before) tries[(int)_trial.Arm]++;
            before = _trial.Arm;
        }

        var much = little == nameof(AdmissionArm.Reserve) ? AdmissionArm.KeepWrites : AdmissionArm.Reserve;
        Assert.InRange(tries[(int)much], 1, tries[(int)Enum.Parse<AdmissionArm>(little)] - 1);
    }

    [Fact]
    public void Where_windows_take_long_only_reserving_is_tried()
    {
        var shares = Shares(seconds: 10, handingOn: 60, keeping: 20, reserving: 50);
        Assert.Equal(0, shares[(int)AdmissionArm.KeepWrites]);
        Assert.True(shares[(int)AdmissionArm.Reserve] > 0.8, $"{shares[(int)AdmissionArm.Reserve]}");
    }

    [Theory]
    [InlineData(5, 100_000, 200_000)]
    [InlineData(20, 192_000, 300_000)]
    [InlineData(40, 200_000, 300_000)]
    [InlineData(100, 550_000, 700_000)]
    public void The_first_trial_begins_after_sixteen_windows_or_fewer_that_take_long(
        int milliseconds, long after, long before)
    {
        while (!IsReserving && _now < 10_000_000) Commit(running: milliseconds, reserving: 1);
        Assert.InRange(_now, after, before);
    }

    [Fact]
    public void What_hands_on_and_meets_nobody_tries_nothing() =>
        Assert.Equal(
            1,
            Shares(
                seconds: 10, handingOn: 20, keeping: 10, reserving: 10, isContended: false)[(int)AdmissionArm.HandOn]);

    [Theory]
    [InlineData(10)]
    [InlineData(60)]
    public void What_must_not_be_run_dry_never_reserves_and_keeps_its_writes_if_that_is_quicker_however_long_windows_take(
        int keeping)
    {
        var shares = Shares(seconds: 20, handingOn: 2 * keeping, keeping, reserving: 1, mayReserve: false);
        Assert.Equal(0, shares[(int)AdmissionArm.Reserve]);
        Assert.True(shares[(int)AdmissionArm.KeepWrites] > 0.9, $"{shares[(int)AdmissionArm.KeepWrites]}");
    }

    [Fact]
    public void What_keeps_its_writes_and_meets_nobody_any_more_tries_to_hand_on_and_nothing_else()
    {
        _trial.Assume(AdmissionArm.KeepWrites);
        var shares = Shares(seconds: 10, handingOn: 10, keeping: 20, reserving: 5, isContended: false);
        Assert.Equal(AdmissionArm.HandOn, _trial.Arm);
        Assert.Equal(0, shares[(int)AdmissionArm.Reserve]);
    }

    [Fact]
    public void Where_no_row_exposes_anything_there_is_nothing_to_keep()
    {
        for (var i = 0; i < 20_000; i++)
        {
            Commit(running: 20, reserving: 30);
            Assert.NotEqual(AdmissionArm.KeepWrites, _trial.Arm);
        }
    }

    [Fact]
    public void What_takes_less_time_is_kept()
    {
        Run(seconds: 2, running: 20, reserving: 10);
        Assert.True(IsReserving);
        Assert.True(ShareReserving(seconds: 20, running: 20, reserving: 10) > 0.95);
    }

    [Fact]
    public void What_takes_more_time_is_given_up_and_tried_ever_more_rarely()
    {
        Assert.InRange(ShareReserving(seconds: 2, running: 10, reserving: 20), 0.001, 0.2);
        Assert.InRange(ShareReserving(seconds: 50, running: 10, reserving: 20), 0.0001, 0.02);
        Assert.False(IsReserving);
    }

    [Fact]
    public void The_more_it_loses_the_sooner_it_is_given_up()
    {
        Assert.Equal(AdmissionTrial.SettleReserving + AdmissionTrial.WindowsMin, WindowsOfFirstTrial(reserving: 40));
        Assert.InRange(
            WindowsOfFirstTrial(reserving: 17),
            AdmissionTrial.SettleReserving + AdmissionTrial.WindowsMin + 1,
            AdmissionTrial.SettleReserving + AdmissionTrial.WindowsMax - 1);
        Assert.Equal(AdmissionTrial.SettleReserving + AdmissionTrial.WindowsMax, WindowsOfFirstTrial(reserving: 10));
    }

    [Fact]
    public void It_changes_its_mind_when_the_load_does_and_at_once_if_times_change_much()
    {
        Run(seconds: 60, running: 20, reserving: 10);
        Assert.True(IsReserving);
        var before = _now;
        while (IsReserving && _now - before < 60_000_000) Commit(running: 20, reserving: 40);
        Assert.InRange(_now - before, 1, 2_000_000);
    }

    [Fact]
    public void A_window_in_which_the_machine_stood_still_decides_nothing()
    {
        Run(seconds: 2, running: 20, reserving: 10);
        for (var i = 0; i < 100; i++)
        {
            Run(seconds: 1, running: 20, reserving: 10);
            _trial.Note(0, Open * 50_000L, isContended: true, handsOn: false, mayReserve: true, _now += 50_000);
        }

        Assert.True(IsReserving);
        Assert.True(ShareReserving(seconds: 20, running: 20, reserving: 10) > 0.9);
    }

    [Fact]
    public void Time_in_which_nothing_was_open_ends_no_window()
    {
        // A transaction now and then: one alone says nothing, however long it is until the next one.
        var commits = 0;
        for (; !IsReserving && commits < 10_000; commits++)
        {
            _now += 2 * AdmissionTrial.WindowMicrosecondsMax;
            _trial.Note(1, 1_000, isContended: true, handsOn: false, mayReserve: true, _now);
        }

        Assert.InRange(
            commits, 2 * AdmissionTrial.WindowsMin * AdmissionTrial.WindowCommits, 16 * AdmissionTrial.WindowCommits);
    }

    [Fact]
    public void What_it_takes_to_settle_is_a_cost_of_trying()
    {
        // Next to as quick, once it has settled: for two windows nothing gets
        // on. That is a fifth of a second, so it rests for ten at first.
        var (tries, settling, wasReserving) = (0, 0, false);
        while (_now < 60_000_000)
        {
            if (IsReserving && !wasReserving) (tries, settling) = (tries + 1, AdmissionTrial.SettleReserving * Open);
            wasReserving = IsReserving;
            Commit(running: 10, reserving: settling-- > 0 ? 100 : 11);
        }

        Assert.InRange(tries, 1, 4);
    }

    [Fact]
    public void What_is_assumed_is_compared_later()
    {
        _trial.Assume(AdmissionArm.Reserve);
        Assert.True(IsReserving);
        for (var i = 0; i < 100; i++) Commit(running: 10, reserving: 20);
        Assert.True(IsReserving);
        Run(seconds: 2, running: 10, reserving: 20);
        Assert.False(IsReserving);
        Assert.Throws<InvalidOperationException>(() => _trial.Assume(AdmissionArm.Reserve));
    }

    [Fact]
    public void What_is_in_doubt_is_compared_at_once()
    {
        Run(seconds: 60, running: 20, reserving: 10);
        Assert.True(IsReserving);
        _trial.Doubt();
        var before = _now;
        while (IsReserving && _now - before < 1_000_000) Commit(running: 20, reserving: 10);
        Assert.InRange(_now - before, 1, 100_000);
    }

    [Fact]
    public void Nothing_is_tried_without_need() =>
        Assert.Equal(0, ShareReserving(seconds: 10, running: 20, reserving: 10, isContended: false));

    [Fact]
    public void Where_next_to_nothing_commits_time_ends_a_window()
    {
        var reserved = 0;
        for (var i = 0; i < 200; i++)
        {
            _now += AdmissionTrial.WindowMicrosecondsMax;
            _trial.Note(
                IsReserving ? 1 : 0,
                Open * AdmissionTrial.WindowMicrosecondsMax,
                isContended: true,
                handsOn: false,
                mayReserve: true,
                _now);
            if (IsReserving) reserved++;
        }

        Assert.InRange(reserved, 150, 200);
    }

    [Fact]
    public void It_finds_what_is_quicker_although_as_many_commit_either_way()
    {
        // One begins every millisecond: so many commit, however long each takes.
        for (var i = 0; i < 5_000; i++)
            _trial.Note(
                1, IsReserving ? 3_000 : 5_000, isContended: true, handsOn: false, mayReserve: true, _now += 1_000);
        Assert.True(IsReserving);
    }

    /// <summary>With windows in which transactions take a third less, as long as ever, or half as long again.</summary>
    private static int WindowsOfFirstTrial(int reserving)
    {
        var trial = new AdmissionTrial(0);
        double[] noise = [0.67, 1, 1.5];
        var (now, windows) = (0L, 0);
        for (var i = 0; i < 100; i++)
        {
            if (trial.Arm == AdmissionArm.Reserve) windows++;
            var time = (long)(noise[i % 3] * (trial.Arm == AdmissionArm.Reserve ? reserving : 10) * 1_000);
            var wasReserving = trial.Arm == AdmissionArm.Reserve;
            trial.Note(
                Open,
                Open * time,
                isContended: true,
                handsOn: false,
                mayReserve: true,
                now += time + AdmissionTrial.WindowMicrosecondsMin);
            if (wasReserving && trial.Arm != AdmissionArm.Reserve) return windows;
        }

        return windows;
    }

    /// <summary>The arms of the first race, and what it ends with.</summary>
    private List<AdmissionArm> Tried(int handingOn, int keeping, int reserving)
    {
        var arms = new List<AdmissionArm> { _trial.Arm };
        for (var end = _now + 1_000_000; _now < end && arms.Count < 4;)
        {
            Commit(TimeOf(handingOn, keeping, reserving), handsOn: true);
            if (_trial.Arm != arms[^1]) arms.Add(_trial.Arm);
        }

        return arms;
    }

    /// <summary>
    /// Has clients run transactions that take so many milliseconds
    /// in each way, and says how much of the time each was in force.
    /// </summary>
    private double[] Shares(
        int seconds, int handingOn, int keeping, int reserving, bool isContended = true, bool mayReserve = true)
    {
        var shares = new double[3];
        var (begin, end) = (_now, _now + (seconds * 1_000_000L));
        while (_now < end)
        {
            var (arm, before) = (_trial.Arm, _now);
            Commit(TimeOf(handingOn, keeping, reserving), handsOn: true, isContended, mayReserve);
            shares[(int)arm] += _now - before;
        }

        return [.. shares.Select(share => share / (_now - begin))];
    }

    private int TimeOf(int handingOn, int keeping, int reserving) =>
        _trial.Arm switch { AdmissionArm.Reserve => reserving, AdmissionArm.KeepWrites => keeping, _ => handingOn };

    private void Run(int seconds, int running, int reserving) => ShareReserving(seconds, running, reserving);

    /// <summary>
    /// Has clients run transactions that take so many milliseconds, one
    /// way or the other, and says how much of the time they reserved.
    /// </summary>
    private double ShareReserving(double seconds, int running, int reserving, bool isContended = true)
    {
        var reserved = 0L;
        var (begin, end) = (_now, _now + (long)(seconds * 1_000_000));
        while (_now < end)
        {
            var wasReserving = IsReserving;
            var before = _now;
            Commit(running, reserving, isContended);
            if (wasReserving) reserved += _now - before;
        }

        return (double)reserved / (_now - begin);
    }

    private void Commit(int running, int reserving, bool isContended = true) =>
        Commit(IsReserving ? reserving : running, handsOn: false, isContended);

    /// <summary>
    /// One of the transactions that are open commits after so many milliseconds, now somewhat sooner, now later.
    /// </summary>
    private void Commit(int milliseconds, bool handsOn, bool isContended = true, bool mayReserve = true)
    {
        _jitter = (_jitter + 7) % 20;
        var time = milliseconds * 1_000L / Open * (90 + _jitter) / 100;
        _trial.Note(1, Open * time, isContended, handsOn, mayReserve, _now += time);
    }
}
