using Polyjuice.Embedded.RealTime;

namespace Polyjuice.Embedded.Tests.RealTime;

public sealed class TurnWatchTests
{
    private const long Millisecond = 1_000;
    private readonly BackgroundWork _background = new();
    private readonly TurnWatch _watch;

    public TurnWatchTests() => _watch = new(_background);

    [Fact]
    public void A_turn_of_20_ms_is_a_pause_and_a_shorter_one_is_not()
    {
        Turn(1 * Millisecond, 20 * Millisecond);
        Assert.Equal(0, _watch.Take().Others.Count);
        Turn(100 * Millisecond, 130 * Millisecond);
        var pauses = _watch.Take();
        Assert.Equal(new PauseCount(1, TimeSpan.FromMilliseconds(30)), pauses.Others);
        Assert.Equal(TimeSpan.FromMilliseconds(30), pauses.LongestTurn);
        Assert.Equal(new LoopPauses(), _watch.Take());
    }

    [Fact]
    public void The_wait_for_a_worker_since_the_loop_became_ready_counts()
    {
        _watch.Begin(50 * Millisecond, ready: 10 * Millisecond);
        _watch.End(51 * Millisecond);
        Assert.Equal(new PauseCount(1, TimeSpan.FromMilliseconds(41)), _watch.Take().Others);
    }

    [Fact]
    public async Task A_pause_while_a_checkpoint_is_made_is_put_down_to_that()
    {
        var made = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var work = _background.Run(() => made.Task);
        Turn(1 * Millisecond, 31 * Millisecond);
        made.SetResult();
        await work;

        // Long before now, so nothing has run since then that would count: a pause of its own.
        var later = DateTimeOffset.UtcNow.AddHours(1).ToUnixTimeMilliseconds() * Millisecond;
        Turn(later, later + (25 * Millisecond));
        var pauses = _watch.Take();
        Assert.Equal(new PauseCount(1, TimeSpan.FromMilliseconds(30)), pauses.BesideCheckpoints);
        Assert.Equal(new PauseCount(1, TimeSpan.FromMilliseconds(25)), pauses.Others);
    }

    [Fact]
    public void A_collection_is_noticed_and_one_that_took_most_of_a_pause_is_its_cause()
    {
        _watch.Begin(0, ready: 0);
        GC.Collect();
        _watch.End(1_000_000 * Millisecond);
        var pauses = _watch.Take();
        Assert.True(pauses.LongestCollection > TimeSpan.Zero);
        Assert.Equal(1, pauses.Others.Count);
    }

    [Fact]
    public void What_a_checkpoint_takes_of_a_turn_is_measured()
    {
        _watch.Checkpoint(10 * Millisecond, begins: true);
        _watch.Checkpoint(1_010 * Millisecond, begins: false);
        Assert.InRange(_watch.Take().LongestCheckpointTurn, TimeSpan.FromMilliseconds(500), TimeSpan.FromMilliseconds(1_000));
    }

    private void Turn(long from, long to)
    {
        _watch.Begin(from, ready: 0);
        _watch.End(to);
    }
}
