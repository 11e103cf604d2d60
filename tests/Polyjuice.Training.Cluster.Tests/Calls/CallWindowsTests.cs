using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Training.Cluster.Calls;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Cluster.Tests.Calls;

public sealed class CallWindowsTests
{
    private const int Clients = 2;

    [Fact]
    public void Without_states_what_is_held_out_follows_all_calls_before_it()
    {
        var windows = Windows(CallTraces.Of(new(0, 100), new(200, 300)), cut: 270, Clients, statesOf: null);

        var part = Assert.Single(windows.HeldOut);
        Assert.Equal(30, part.Calls.Transactions.Length);
        Assert.Equal(170, part.Before!.Transactions.Length);
        Assert.Null(part.Previous);
        Assert.Null(part.States);
        Assert.Equal(170, windows.Search.Calls.Transactions.Length);
        Assert.Null(windows.Search.Before);
    }

    [Fact]
    public async Task With_states_it_follows_the_calls_of_its_window_alone()
    {
        TraceWindow? asked = null;
        var windows = Windows(CallTraces.Of(new(0, 100), new(200, 300)), cut: 270, Clients, States);

        var part = Assert.Single(windows.HeldOut);
        Assert.Equal(70, part.Before!.Transactions.Length);
        Assert.Equal(3, (await part.States!(3, GrainGroups.Own)).PartitionCount);
        Assert.Equal(new TraceWindow(200, 300), asked);

        // The longest window that the search sees.
        Assert.Equal(100, windows.Search.Calls.Transactions.Length);
        await windows.Search.States!(1, GrainGroups.Own);
        Assert.Equal(new TraceWindow(0, 100), asked);

        Task<MemoryLogStore> States(TraceWindow window, int partitions, GrainGroups groups)
        {
            asked = window;
            return Task.FromResult(new MemoryLogStore(partitions));
        }
    }

    [Fact]
    public void A_window_that_is_held_out_whole_needs_no_calls_before()
    {
        var windows = Windows(
            CallTraces.Of(new(0, 100), new(200, 230), new(400, 440)),
            cut: 200,
            Clients,
            static (_, partitions, _) => Task.FromResult(new MemoryLogStore(partitions)));

        Assert.Equal([30, 40], windows.HeldOut.Select(static part => part.Calls.Transactions.Length));
        Assert.All(
            windows.HeldOut, static part => Assert.True(part is { Before: null, Previous: null, States: not null }));
    }

    [Fact]
    public void A_long_window_is_raced_on_in_parts_each_of_which_follows_the_one_before()
    {
        var windows = Windows(CallTraces.Of(new TraceWindow(0, 1_000)), cut: 700, Clients, statesOf: null);

        Assert.Equal([100, 100, 100], windows.HeldOut.Select(static part => part.Calls.Transactions.Length));
        Assert.Equal(700, windows.HeldOut[0].Before!.Transactions.Length);
        Assert.Equal(
            [null, windows.HeldOut[0], windows.HeldOut[1]], windows.HeldOut.Select(static part => part.Previous));
        Assert.Equal(300, windows.HeldOutCount);
    }

    [Fact]
    public void A_window_that_is_too_short_is_not_raced_on_and_its_calls_are_made_all_the_same()
    {
        var windows = Windows(
            CallTraces.Of(new(0, 100), new(200, 204), new(300, 330)), cut: 200, Clients, statesOf: null);

        var part = Assert.Single(windows.HeldOut);
        Assert.Equal(30, part.Calls.Transactions.Length);
        Assert.Equal(4, part.Previous!.Calls.Transactions.Length);
        Assert.Equal(100, part.Previous.Before!.Transactions.Length);
    }

    [Fact]
    public void Of_more_parts_than_rounds_some_are_taken_from_all_of_the_time()
    {
        TraceWindow[] all =
        [
            .. Enumerable.Range(0, 101).Select(static i => new TraceWindow(1_000 * i, (1_000 * i) + 10))
        ];
        var windows = Windows(CallTraces.Of(all), cut: 1_000, Clients, statesOf: null);

        Assert.Equal(18, windows.HeldOut.Count);
        Assert.Equal(18, windows.HeldOut.Distinct().Count());
        Assert.InRange(windows.HeldOut[^1].Calls.Windows[0].StartMicroseconds, 90_000, 100_000);
    }

    [Fact]
    public void Where_none_is_long_enough_it_says_what_is_needed()
    {
        var refused = Assert.Throws<ArgumentException>(
            () => Windows(CallTraces.Of(new(0, 100), new(200, 230)), cut: 200, clients: 64, statesOf: null));
        Assert.Contains("256", refused.Message, StringComparison.Ordinal);
        Assert.Contains("--clients", refused.Message, StringComparison.Ordinal);
    }

    private static CallWindows Windows(
        AccessTrace trace, long cut, int clients,
        Func<TraceWindow, int, GrainGroups, Task<MemoryLogStore>>? statesOf) =>
        CallWindows.Of(trace, trace.Windows, cut, clients, statesOf);
}
