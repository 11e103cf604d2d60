using Orleans.Runtime;

namespace Polyjuice.Orleans.Tests.GrainCode;

/// <summary>Calls from clients and from grains.</summary>
public sealed class CallTests
{
    [Theory]
    [InlineData(0, 0)]
    [InlineData(0, 1)]
    public async Task A_call_from_grain_to_grain_returns_its_result(int callerSilo, int calleeSilo)
    {
        await using var cluster = await TestHost.StartAsync(2);
        var other = cluster.KeyOn<ICallee>(calleeSilo);
        Assert.Equal($"{other}: hello", await cluster.GrainOn<ICaller>(callerSilo).Relay(other, "hello"));
    }

    [Fact]
    public async Task Calls_in_parallel_all_return()
    {
        await using var cluster = await TestHost.StartAsync(2);
        Assert.Equal(42, await cluster.GrainOn<ICaller>(0).Sum(cluster.KeyOn<ICallee>(0), cluster.KeyOn<ICallee>(1)));
    }

    [Fact]
    public async Task Many_callers_on_many_threads_get_their_own_answers()
    {
        await using var cluster = await TestHost.StartAsync(2);
        await Parallel.ForAsync(0, 2_000, async (i, _) => Assert.Equal(
            $"g{i % 50}: {i}", await cluster.Client.GetGrain<ICaller>($"c{i}").Relay($"g{i % 50}", i.ToString())));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task Arguments_and_results_are_never_shared(int calleeSilo)
    {
        await using var cluster = await TestHost.StartAsync(2);
        var mine = new Basket { Items = { "early" } };
        var result = await cluster.GrainOn<ICaller>(0).AddThenMutate(cluster.KeyOn<ICallee>(calleeSilo), mine);
        Assert.Equal(["early"], result.Items);
        Assert.Equal(["early"], mine.Items);
    }

    [Fact]
    public async Task A_client_that_changes_an_argument_after_the_call_is_not_seen()
    {
        await using var cluster = await TestHost.StartAsync();
        var basket = new Basket { Items = { "early" } };
        var call = cluster.Client.GetGrain<ICallee>("k").Add(basket);
        basket.Items.Add("late");
        Assert.Equal(["early"], (await call).Items);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task An_exception_arrives_as_its_own_type_with_its_cause(int calleeSilo)
    {
        await using var cluster = await TestHost.StartAsync(2);
        Assert.Equal(
            "from afar, because it was asked to",
            await cluster.GrainOn<ICaller>(0).Catch(cluster.KeyOn<ICallee>(calleeSilo)));
        var thrown = await Assert.ThrowsAsync<CustomException>(
            () => cluster.GrainOn<ICallee>(calleeSilo).Throw("to the client"));
        Assert.Equal("to the client", thrown.Message);
    }

    [Fact]
    public async Task Request_context_goes_down_and_never_back_up()
    {
        await using var cluster = await TestHost.StartAsync(2);
        RequestContext.Set("who", "client");
        Assert.Equal("client caller", await cluster.GrainOn<ICaller>(0).RelayContext(cluster.KeyOn<ICallee>(1)));
        Assert.Equal("client caller", await cluster.GrainOn<ICaller>(1).RelayContext(cluster.KeyOn<ICallee>(1)));
        Assert.Equal("client", RequestContext.Get("who"));
        Assert.Equal(["who"], RequestContext.Keys);
        RequestContext.Clear();
        Assert.Null(await cluster.GrainOn<ICallee>(0).Context("who"));
    }

    [Fact]
    public async Task A_call_without_an_answer_times_out()
    {
        await using var cluster = await TestHost.StartAsync();
        var late = await Assert.ThrowsAsync<TimeoutException>(
            () => cluster.Client.GetGrain<ICallee>("k").Late("late: answer"));
        Assert.Contains("ICallee.Late", late.Message);
        Signals.Set("late: answer");
    }

    [Fact]
    public async Task A_cancelled_call_ends_at_once_and_its_callee_is_told()
    {
        await using var cluster = await TestHost.StartAsync(2);
        using var source = new CancellationTokenSource();
        var call = cluster.GrainOn<ICallee>(1).UntilCancelled("cancel", source.Token);
        await Signals.WaitAsync("cancel running");
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        await Signals.WaitAsync("cancel cancelled");
    }

    [Fact]
    public async Task A_call_with_a_cancelled_token_is_not_made()
    {
        await using var cluster = await TestHost.StartAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => cluster.Client.GetGrain<ICallee>("k").UntilCancelled("not made", new CancellationToken(true)));
        await cluster.Client.GetGrain<ICallee>("k").Get();
        Assert.False(Signals.IsSet("not made running"));
    }

    [Fact]
    public async Task A_call_from_a_thread_that_left_its_grains_turn_still_arrives()
    {
        await using var cluster = await TestHost.StartAsync(2);
        var other = cluster.KeyOn<ICallee>(1);
        Assert.Equal($"{other}: from the thread pool", await cluster.GrainOn<ICaller>(0).OutOfTurn(other));
    }
}
