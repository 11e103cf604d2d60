namespace Polyjuice.Embedded.Tests.RealTime;

/// <summary>Dry runs and reservations of grain code.</summary>
public sealed class ReconnaissanceTests
{
    [Fact]
    public async Task A_marked_method_is_run_dry_and_its_code_can_tell()
    {
        await using var cluster = await StartAsync();
        var (from, to) = (cluster.KeyOn<IAccount>(0, "from"), cluster.KeyOn<IAccount>(1, "to"));
        Assert.Equal(99, await cluster.Client.GetGrain<IScout>("marked").Move(from, [to]));
        Assert.Equal([true, false], ScoutGrain.RunsOf("marked"));
        Assert.Equal(101, await cluster.Client.GetGrain<IAccount>(to).Get());
        Assert.Equal(99, await cluster.Client.GetGrain<IAccount>(from).Get());
        Assert.False(TransactionContext.IsReconnaissance);
    }

    [Fact]
    public async Task An_unmarked_method_is_not()
    {
        await using var cluster = await StartAsync();
        Assert.Equal(99, await cluster.Client.GetGrain<IScout>("unmarked").MoveUnmarked("a", ["b"]));
        Assert.Equal([false], ScoutGrain.RunsOf("unmarked"));
    }

    // By default a dry run of half a second is cut off, and on a machine that stalls it has not even begun by then; and an attempt that is not ordered within 3 s is made again, which is a run more.
    private static Task<EmbeddedCluster> StartAsync() => TestCluster.StartAsync(2, options =>
    {
        options.PolicyName = "reserve";
        (options.Engine.DryRunTimeoutMicroseconds, options.Engine.PrepareTimeoutMicroseconds) = (100_000_000, 100_000_000);
    });
}
