using Polyjuice.Lab.Experiments;

namespace Polyjuice.Lab.Tests.Experiments;

/// <summary>What is compared takes turns.</summary>
public sealed class MeasuringTurnsTests
{
    private readonly List<int> _taken = [];

    [Fact]
    public async Task Each_has_one_turn_in_every_cycle_and_nobody_else_has_it_meanwhile()
    {
        var turns = new MeasuringTurns(4, seed: 1);
        var now = 0;
        await Task.WhenAll(turns.All.Select(async (turn, index) =>
        {
            for (var i = 0; i < 25; i++)
            {
                await turn.TakeAsync();
                Assert.Equal(1, Interlocked.Increment(ref now));
                _taken.Add(index);
                await Task.Yield();
                Interlocked.Decrement(ref now);
                turn.Pass();
            }
        }));
        Assert.Equal(100, _taken.Count);
        Assert.All(_taken.Chunk(4), cycle => Assert.Equal([0, 1, 2, 3], cycle.Order()));
        Assert.True(
            _taken.Chunk(4).Select(cycle => string.Join(' ', cycle)).Distinct().Count() > 5, string.Join(' ', _taken));
    }

    [Fact]
    public async Task Whoever_is_not_ready_is_waited_for()
    {
        var turns = new MeasuringTurns(2, seed: 1);
        var taken = turns.All.Select(turn => turn.TakeAsync()).ToList();
        var (first, second) = taken[0].IsCompleted ? (0, 1) : (1, 0);
        Assert.False(taken[second].IsCompleted);
        turns.All[first].Pass();
        await taken[second];
        turns.All[second].Pass();

        // Who comes first in the next cycle has asked for nothing yet; whether it is
        // one or the other, two turns in a row are had by one of them at the most.
        var again = turns.All[first].TakeAsync();
        if (again.IsCompleted)
        {
            turns.All[first].Pass();
            Assert.False(turns.All[first].TakeAsync().IsCompleted);
        }
        else
        {
            await turns.All[second].TakeAsync();
            turns.All[second].Pass();
            await again;
        }
    }

    [Fact]
    public async Task Whoever_leaves_is_waited_for_no_longer()
    {
        var turns = new MeasuringTurns(3, seed: 2);
        var taken = turns.All.Select(turn => turn.TakeAsync()).ToList();
        var first = taken.FindIndex(turn => turn.IsCompleted);
        turns.All[first].Dispose();
        turns.All[first].Dispose();
        var second = (first + 1) % 3;
        var third = (first + 2) % 3;
        if (!taken[second].IsCompleted) (second, third) = (third, second);
        turns.All[second].Dispose();
        for (var i = 0; i < 3; i++)
        {
            await (i == 0 ? taken[third] : turns.All[third].TakeAsync());
            turns.All[third].Pass();
        }

        await Assert.ThrowsAsync<InvalidOperationException>(turns.All[first].TakeAsync);
    }

    [Fact]
    public void Only_whose_turn_it_is_passes_it_on() =>
        Assert.Throws<InvalidOperationException>(MeasuringTurns.Alone().Pass);

    [Fact]
    public void Nobody_has_no_turns() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new MeasuringTurns(0, seed: 1));
}
