using System.Diagnostics;
namespace Polyjuice.Embedded.Tests.RealTime;

public sealed class CallTests
{
    [Fact]
    public async Task A_one_way_call_completes_at_once_and_arrives()
    {
        await using var cluster = await TestCluster.StartAsync();
        Assert.True(cluster.Client.GetGrain<ICallee>("k").Notify("one-way").IsCompleted);
        await Signals.WaitAsync("one-way");
    }

    [Fact]
    public async Task An_argument_that_cannot_be_sent_fails_its_own_call_only()
    {
        await using var cluster = await TestCluster.StartAsync();
        var grain = cluster.Client.GetGrain<ICallee>("k");
        await Assert.ThrowsAsync<Embedded.Serialization.CodecNotFoundException>(() => grain.Anything(new StringWriter()));
        Assert.Equal("text", await grain.Anything("text"));
    }

    [Fact]
    public async Task Latency_delays_what_crosses_the_network_and_keeps_its_order()
    {
        await using var cluster = await TestCluster.StartAsync(2, options => options.NetworkLatency = TimeSpan.FromMilliseconds(5));
        var started = Stopwatch.GetTimestamp();
        var grain = cluster.GrainOn<ICallee>(0);
        var calls = Enumerable.Range(0, 20).Select(i => grain.Add(new Basket { Items = { i.ToString() } })).ToArray();
        await Task.WhenAll(calls);
        // There and back; the loops count in microseconds.
        Assert.True(Stopwatch.GetElapsedTime(started) >= TimeSpan.FromMilliseconds(9.9));
        Assert.Equal(Enumerable.Range(0, 20).Select(i => i.ToString()), (await grain.Get()).Items);
    }

    [Fact]
    public async Task Messages_between_nodes_are_counted()
    {
        await using var cluster = await TestCluster.StartAsync(2);
        await cluster.GrainOn<ICaller>(0).Relay(cluster.KeyOn<ICallee>(0), "local");
        var before = cluster.Statistics;
        await cluster.GrainOn<ICaller>(0).Relay(cluster.KeyOn<ICallee>(1), "remote");
        var after = cluster.Statistics;
        Assert.Equal(1, before.LocalCalls);
        Assert.True(after.Messages - before.Messages >= 3);
        Assert.True(after.MessageBytes > before.MessageBytes);
    }
}
