
namespace Polyjuice.Orleans.Tests.GrainCode;

/// <summary>Which requests of a grain may run at a time.</summary>
public sealed class TurnTests
{
    [Fact]
    public async Task A_grain_that_is_not_reentrant_runs_one_request_at_a_time()
    {
        await using var cluster = await TestHost.StartAsync();
        var grain = Grain(cluster, "OneAtATime", "one");
        var first = grain.Work("first", "one go");
        await Signals.WaitAsync("one first runs");
        var second = grain.Work("second", null);
        var third = grain.Work("third", null);
        Assert.Equal(["first starts"], await grain.Log());
        Signals.Set("one go");
        await Task.WhenAll(first, second, third);

        // In which order those come that were made side by side,
        // Orleans does not promise: they may take different gateways.
        var log = await grain.Log();
        Assert.Equal(["first starts", "first ends"], log[..2]);
        Assert.True(
            log[2..] is ["second starts", "second ends", "third starts", "third ends"]
                or ["third starts", "third ends", "second starts", "second ends"],
            string.Join(", ", log));
    }

    [Fact]
    public async Task A_reentrant_grain_interleaves_requests_at_awaits()
    {
        await using var cluster = await TestHost.StartAsync();
        var grain = Grain(cluster, "Reentrant", "re");
        var first = grain.Work("first", "re go");
        await Signals.WaitAsync("re first runs");
        await grain.Work("second", null);
        Signals.Set("re go");
        await first;
        Assert.Equal(["first starts", "second starts", "second ends", "first ends"], await grain.Log());
    }

    [Fact]
    public async Task A_method_that_always_interleaves_runs_while_others_do()
    {
        await using var cluster = await TestHost.StartAsync();
        var grain = Grain(cluster, "OneAtATime", "always");
        var first = grain.Work("first", "always go");
        await Signals.WaitAsync("always first runs");
        await grain.Interleave("second");
        Signals.Set("always go");
        await first;
        Assert.Equal(["first starts", "second starts", "second ends", "first ends"], await grain.Log());
    }

    [Fact]
    public async Task Read_only_methods_interleave_with_each_other_only()
    {
        await using var cluster = await TestHost.StartAsync();
        var grain = Grain(cluster, "OneAtATime", "read");
        var first = grain.Read("first", "read go");
        await Signals.WaitAsync("read first runs");
        await grain.Read("second", null);
        var writer = grain.Work("writer", null);
        Assert.Equal(["first starts", "second starts", "second ends"], await grain.Log());
        Signals.Set("read go");
        await Task.WhenAll(first, writer);
        Assert.Equal(["first ends", "writer starts", "writer ends"], (await grain.Log())[3..]);
    }

    private static ITurns Grain(TestHost cluster, string prefix, string key) =>
        cluster.Client.GetGrain<ITurns>(key, $"Polyjuice.Orleans.Tests.GrainCode.{prefix}");
}
