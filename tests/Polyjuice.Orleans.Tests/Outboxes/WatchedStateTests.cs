using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Orleans.Outboxes;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Orleans.Tests.Outboxes;

public sealed class WatchedStateTests
{
    private readonly ManualTime _time = new(DateTimeOffset.UnixEpoch);
    private LaneReport _answer = LaneReport.Empty;
    private int _reads;

    [Fact]
    public void An_empty_lane_is_read_for_some_time_after_a_change_and_not_after_that()
    {
        var state = Watch(isReadWhileAny: true);
        Look(state, 1, writtenAt: 7);
        Look(state, 2, writtenAt: 7);
        Assert.Equal(2, _reads);

        _time.MoveTo(_time.GetUtcNow() + WatchedState.Patience);
        for (var look = 3; look < 100; look++) Look(state, look, writtenAt: 7);
        Assert.Equal(2, _reads);

        Look(state, 100, writtenAt: 8);
        Assert.Equal(3, _reads);
    }

    [Fact]
    public void Messages_to_be_sent_are_read_at_each_look_and_parked_ones_are_not()
    {
        _answer = new(2, 5);
        foreach (var isReadWhileAny in (bool[])[true, false])
        {
            var state = Watch(isReadWhileAny);
            _reads = 0;
            Look(state, 1, writtenAt: 7);
            _time.MoveTo(_time.GetUtcNow() + WatchedState.Patience);
            Look(state, 2, writtenAt: 7);

            Assert.Equal(_answer, state.Report);
            Assert.Equal(isReadWhileAny ? 2 : 1, _reads);
        }
    }

    [Fact]
    public void A_reading_that_fails_is_tried_again_however_late()
    {
        var fails = true;
        var state = new WatchedState(
            "lane",
            () =>
            {
                _reads++;
                return fails ? Task.FromException<LaneReport>(new IOException("No.")) : Task.FromResult(_answer);
            },
            isReadWhileAny: true, _time, NullLogger.Instance);
        Look(state, 1, writtenAt: 7);
        _time.MoveTo(_time.GetUtcNow() + WatchedState.Patience);
        Look(state, 2, writtenAt: 7);
        fails = false;
        Look(state, 3, writtenAt: 7);
        Look(state, 4, writtenAt: 7);

        Assert.Equal(3, _reads);
    }

    [Fact]
    public void What_several_lanes_have_is_added_up_and_the_oldest_of_all_counts()
    {
        Assert.Equal(new LaneReport(5, 4), new LaneReport(2, 9) + new LaneReport(3, 4));
        Assert.Equal(new LaneReport(3, 4), LaneReport.Empty + new LaneReport(3, 4));
        Assert.Equal(new LaneReport(2, 9), new LaneReport(2, 9) + LaneReport.Empty);
    }

    private static void Look(WatchedState state, long look, long writtenAt)
    {
        state.Found(look, writtenAt);
        state.Look();
    }

    private WatchedState Watch(bool isReadWhileAny) => new(
        "lane",
        () =>
        {
            _reads++;
            return Task.FromResult(_answer);
        },
        isReadWhileAny, _time, NullLogger.Instance);
}
