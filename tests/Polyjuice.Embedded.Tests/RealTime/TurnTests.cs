using Orleans.Concurrency;

namespace Polyjuice.Embedded.Tests.RealTime;

public sealed class TurnTests
{
    [Fact]
    public async Task Requests_run_in_the_order_in_which_one_caller_made_them()
    {
        await using var cluster = await TestCluster.StartAsync();
        var grain = Grain(cluster, "OneAtATime", "order");
        var first = grain.Work("first", "order go");
        await Signals.WaitAsync("order first runs");
        var second = grain.Work("second", null);
        var third = grain.Work("third", null);
        Signals.Set("order go");
        await Task.WhenAll(first, second, third);
        Assert.Equal(["first starts", "first ends", "second starts", "second ends", "third starts", "third ends"], await grain.Log());
    }

    [Fact]
    public async Task A_reader_does_not_overtake_a_writer_that_waits()
    {
        await using var cluster = await TestCluster.StartAsync();
        var grain = Grain(cluster, "OneAtATime", "overtake");
        var first = grain.Read("first", "overtake go");
        await Signals.WaitAsync("overtake first runs");
        var writer = grain.Work("writer", null);
        var third = grain.Read("third", null);
        Assert.Equal(["first starts"], await grain.Log());
        Signals.Set("overtake go");
        await Task.WhenAll(first, writer, third);
        Assert.Equal("writer ends", (await grain.Log())[3]);
    }

    [Fact]
    public async Task A_predicate_may_let_requests_interleave()
    {
        await using var cluster = await TestCluster.StartAsync();
        var grain = Grain(cluster, "Sometimes", "some");
        var first = grain.Work("first", "some go");
        await Signals.WaitAsync("some first runs");
        await grain.Work("second", null);
        Signals.Set("some go");
        await first;
        Assert.Equal("first ends", (await grain.Log())[^1]);
    }

    private static ITurns Grain(EmbeddedCluster cluster, string prefix, string key) =>
        cluster.Client.GetGrain<ITurns>(key, $"Polyjuice.Embedded.Tests.RealTime.{prefix}");
}

/// <summary>Here the predicate takes the name of a method, as nothing else of a request is public.</summary>
[MayInterleave(nameof(May))]
public sealed class SometimesGrain : TurnsBase, ITurns
{
    public static bool May(string methodName) => methodName == nameof(Work);
}
