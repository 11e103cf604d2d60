using Polyjuice.Partitions;

namespace Polyjuice.Tests.Partitions.Appends;

public sealed class AppendGatheringTests
{
    private const long Append = 10_000;

    private readonly AppendGathering _gathering = new(2_000);
    private long _now = 1;

    [Fact]
    public void Callers_that_are_back_right_after_an_append_are_waited_for()
    {
        for (var i = 0; i < 10; i++) Round(present: 20, back: 20);
        var held = Held(present: 20);
        Assert.InRange(held, Append / 8, Append / 4);
    }

    [Fact]
    public void Few_that_would_be_late_are_not_worth_the_time_of_many_that_wait()
    {
        for (var i = 0; i < 10; i++) Round(present: 40, back: 2);
        Assert.Equal(0, Held(present: 40));
    }

    [Fact]
    public void A_single_caller_never_waits()
    {
        for (var i = 0; i < 10; i++) Assert.Equal(0, Round(present: 1, back: 0));
    }

    [Fact]
    public void It_stops_when_those_whom_it_waits_for_stay_away()
    {
        for (var i = 0; i < 10; i++) Round(present: 20, back: 20);
        var rounds = 0;
        while (Round(present: 20, back: 0) > 0) rounds++;
        Assert.InRange(rounds, 1, 10);
    }

    [Fact]
    public void Who_comes_after_the_window_is_not_counted()
    {
        for (var i = 0; i < 10; i++) Round(present: 20, back: 20, after: Append / 2);
        Assert.Equal(0, Held(present: 20));
    }

    [Fact]
    public void Appends_that_are_soon_over_are_not_held_back()
    {
        for (var i = 0; i < 20; i++) Round(present: 1, back: 50, takes: 1_500);
        Assert.Equal(0, Held(present: 1));
    }

    [Fact]
    public void An_append_that_cannot_wait_ends_the_time_for_which_it_is_held_back()
    {
        for (var i = 0; i < 10; i++) Round(present: 20, back: 20);
        Assert.True(_gathering.Holds(_now, 20));
        _gathering.Began(_now);
        Assert.Equal(0, _gathering.HeldUntil);
    }

    // An append that so many wait for, while others come back; how long it was held back.
    private long Round(int present, int back, long after = 100, long takes = Append)
    {
        var asked = _now;
        var held = Held(present);
        if (held == 0)
        {
            _gathering.Began(asked);
            Arrive(back, asked + after);
            _now = asked + takes;
            _gathering.Ended(_now);
            return 0;
        }

        Arrive(back, asked + after);
        _now = asked + held;
        Assert.False(_gathering.Holds(_now, present + back));
        _gathering.Began(_now);
        _now += takes;
        _gathering.Ended(_now);
        return held;
    }

    private long Held(int present) => _gathering.Holds(_now, present) ? _gathering.HeldUntil - _now : 0;

    private void Arrive(int count, long at)
    {
        for (var i = 0; i < count; i++) _gathering.Arrived(at);
    }
}
