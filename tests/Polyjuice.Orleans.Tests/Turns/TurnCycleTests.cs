using System.Diagnostics;
using Orleans.Transactions;
using Polyjuice.Orleans.Tests.Grains;
using Xunit.Abstractions;

namespace Polyjuice.Orleans.Tests.Turns;

/// <summary>
/// Calls that wait for each other's turns, in grains that run one call at a time. Without a search for such cycles each
/// of these ends after minutes.
/// </summary>
public abstract class TurnCycleTests(TiedPlaces places, ITestOutputHelper output)
{
    // Of the machine. What is looked for takes a few hundredths of it.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(20);

    [Theory]
    [InlineData(0, 0)]
    [InlineData(0, 1)]
    public async Task Two_grains_that_call_each_other_both_commit(int first, int second)
    {
        var (a, b) = (places.Key(first), places.Key(second));
        var meeting = Meeting.Of(2);

        await BothAsync(Tied(a).AddAlong([b], meeting), Tied(b).AddAlong([a], meeting));

        Assert.Equal((2, 2), (await Tied(a).Get(), await Tied(b).Get()));
        Assert.InRange(Meeting.ArrivalsAt(meeting), 3, 6);
    }

    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(0, 1, 0)]
    public async Task Three_that_call_each_other_in_a_ring_all_commit(int first, int second, int third)
    {
        var (a, b, c) = (places.Key(first), places.Key(second), places.Key(third));
        var meeting = Meeting.Of(3);

        await BothAsync(Tied(a).AddAlong([b], meeting), Tied(b).AddAlong([c], meeting), Tied(c).AddAlong([a], meeting));

        Assert.Equal((2, 2, 2), (await Tied(a).Get(), await Tied(b).Get(), await Tied(c).Get()));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task A_wait_for_a_turn_and_one_for_a_state_are_a_cycle(int place)
    {
        var a = places.Key(place);
        var meeting = Meeting.Of(2);

        // The first has the state and wants the turn, the second has the turn and wants the state.
        var first = places.Grains.GetGrain<ITwice>(Guid.NewGuid().ToString()).AddTwice(a, meeting);
        await Meeting.FirstAt(meeting);
        await BothAsync(first, Tied(a).ArriveAndAdd(meeting));

        Assert.Equal(3, await Tied(a).Get());
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(0, 1)]
    public async Task Transactions_of_clients_are_found_too(int first, int second)
    {
        var (a, b) = (places.Key(first), places.Key(second));
        var meeting = Meeting.Of(2);

        await BothAsync(
            places.Transactions.RunTransaction(TransactionOption.Create, () => Tied(a).AddAlong([b], meeting)),
            places.Transactions.RunTransaction(TransactionOption.Create, () => Tied(b).AddAlong([a], meeting)));

        Assert.Equal((2, 2), (await Tied(a).Get(), await Tied(b).Get()));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task A_long_queue_that_gets_on_costs_nobody_an_attempt(int place)
    {
        var a = places.Key(place);
        var (meeting, gate) = (Meeting.Of(1), Meeting.Of(2));
        var holder = Tied(a).AddAlong([], gate);
        await Meeting.FirstAt(gate);
        var others = Enumerable.Range(0, 20).Select(i => Tied(places.Key(i % 2)).AddAlong([a], meeting)).ToArray();

        // The turn is kept until each of them has been asked about again and again.
        await Task.Delay(TimeSpan.FromMilliseconds(300));
        _ = Meeting.ArriveAsync(gate);
        await BothAsync([holder, .. others]);

        Assert.Equal(21, await Tied(a).Get());
        Assert.Equal(20, Meeting.ArrivalsAt(meeting));
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(0, 1)]
    public async Task A_call_that_waits_for_itself_is_refused_with_the_reason(int first, int second)
    {
        var (a, b) = (places.Key(first), places.Key(second));

        var exception = await Assert.ThrowsAsync<OrleansTransactionAbortedException>(
            () => BothAsync(Tied(a).AddByWayOf(b)));

        Assert.Contains("is not [Reentrant]", exception.ToString(), StringComparison.Ordinal);
        Assert.Equal((0, 0), (await Tied(a).Get(), await Tied(b).Get()));
    }

    private ITied Tied(string key) => places.Grains.GetGrain<ITied>(key);

    private async Task BothAsync(params Task[] calls)
    {
        var since = Stopwatch.GetTimestamp();
        await Task.WhenAll(calls).WaitAsync(s_patience);
        output.WriteLine($"{calls.Length} calls: {Stopwatch.GetElapsedTime(since).TotalMilliseconds:F0} ms");
    }
}

/// <inheritdoc/>
public sealed class TurnCyclesOfSilosTests(TiedSilos silos, ITestOutputHelper output)
    : TurnCycleTests(silos, output), IClassFixture<TiedSilos>;

/// <inheritdoc/>
public sealed class TurnCyclesOfEnginesTests(TiedEngines engines, ITestOutputHelper output)
    : TurnCycleTests(engines, output), IClassFixture<TiedEngines>;
