using Polyjuice.Contracts;

namespace Polyjuice.Orleans.Tests.GrainCode;

/// <summary>Dry runs and reservations of grain code, whichever host runs it.</summary>
public sealed class ReconnaissanceTests
{
    // By default a dry run of half a second is cut off, and on a machine that stalls it has not even begun by then; and
    // an attempt that is not ordered within 3 s is made again, which is a run more.
    private static readonly Action<EngineOptions> s_patient = static options => (options.DryRunTimeoutMicroseconds,
        options.PrepareTimeoutMicroseconds) =
        (100_000_000, 100_000_000);

    [Fact]
    public async Task A_marked_method_is_run_dry_first_and_its_code_can_tell()
    {
        await using var cluster = await TestHost.StartAsync(silos: 2, policy: "reserve", engine: s_patient);
        var (from, to) = (cluster.KeyOn<IWallet>(0, "dry-from"), cluster.KeyOn<IWallet>(1, "dry-to"));
        Assert.Equal(99, await cluster.Client.GetGrain<IScout>("hosts-marked").Move(from, [to]));
        Assert.Equal([true, false], ScoutGrain.RunsOf("hosts-marked"));
        Assert.Equal(
            (99, 101),
            (await cluster.Client.GetGrain<IWallet>(from).Get(), await cluster.Client.GetGrain<IWallet>(to).Get()));
    }

    [Fact]
    public async Task An_unmarked_method_is_not_unless_the_silo_allows_it_for_all()
    {
        await using (var cluster = await TestHost.StartAsync(policy: "reserve", engine: s_patient))
            Assert.Equal(99, await cluster.Client.GetGrain<IScout>("hosts-unmarked").MoveUnmarked("a", ["b"]));
        Assert.Equal([false], ScoutGrain.RunsOf("hosts-unmarked"));
        await using (var cluster = await TestHost.StartAsync(
            policy: "reserve", engine: s_patient + (options => options.DryRunsByDefault = true)))
            Assert.Equal(99, await cluster.Client.GetGrain<IScout>("hosts-all").MoveUnmarked("a", ["b"]));
        Assert.Equal([true, false], ScoutGrain.RunsOf("hosts-all"));
    }

    [Fact]
    public async Task What_follows_from_calls_is_learned_and_then_bodies_are_run_once()
    {
        await using var cluster = await TestHost.StartAsync(policy: "reserve", engine: s_patient);
        var scout = cluster.Client.GetGrain<IScout>("hosts-learned");
        for (var i = 0; i < 60; i++) await scout.Move($"learned{i}", [$"learned{i + 1}", $"learned{i + 2}"]);
        var runs = ScoutGrain.RunsOf("hosts-learned").ToArray();
        Assert.InRange(runs.Count(isDry => isDry), 32, 44);
        Assert.Equal([false, false, false, false], runs[^4..]);
        Assert.Equal(
            (100 + 2 - 2, 60),
            (await cluster.Client.GetGrain<IWallet>("learned30").Get(), runs.Count(isDry => !isDry)));
    }

    [Theory]
    [InlineData("reserve")]
    [InlineData("occ")]
    public async Task A_method_that_declares_what_it_accesses_is_not_run_dry(string policy)
    {
        await using var cluster = await TestHost.StartAsync(silos: 2, policy: policy, engine: s_patient);
        var (from, to) = (cluster.KeyOn<IWallet>(0, "declared-from"), cluster.KeyOn<IWallet>(1, "declared-to"));
        Assert.Equal(
            98,
            await cluster.Client.GetGrain<IScout>($"hosts-declared-{policy}").MoveDeclared(from, [to, "declared-too"]));
        Assert.Equal([false], ScoutGrain.RunsOf($"hosts-declared-{policy}"));
        Assert.Equal(
            (98, 101),
            (await cluster.Client.GetGrain<IWallet>(from).Get(), await cluster.Client.GetGrain<IWallet>(to).Get()));
    }

    [Fact]
    public async Task What_is_declared_wrongly_costs_nothing_but_time()
    {
        await using var cluster = await TestHost.StartAsync(silos: 2, policy: "reserve");
        var other = cluster.Client.GetGrain<IWallet>("misdeclared-other");
        Assert.Equal(
            99,
            await cluster.Client.GetGrain<IScout>("hosts-misdeclared")
                .MoveMisdeclared(other, "misdeclared-from", ["misdeclared-to"]));
        Assert.Equal((100, 101), (await other.Get(), await cluster.Client.GetGrain<IWallet>("misdeclared-to").Get()));
    }

    [Fact]
    public async Task Declared_transfers_over_the_same_accounts_lose_nothing()
    {
        await using var cluster = await TestHost.StartAsync(
            silos: 2, policy: "reserve", engine: options => options.HandOnAfterKept = 0);
        await TransferAsync(cluster, (scout, from, to) => scout.MoveDeclared(from, to));
    }

    [Fact]
    public async Task What_is_reserved_is_not_held_while_another_grain_is_activated()
    {
        await using var cluster = await TestHost.StartAsync(
            silos: 2,
            policy: "reserve",
            engine: options => (options.WaitDeadlineMicroseconds, options.ReservationTimeoutMicroseconds) =
                (600_000_000, 590_000_000));
        var (hot, slow, other) =
            (cluster.KeyOn<IVault>(
                0, "hosts-hot"), cluster.KeyOn<IVault>(1, "hosts-slow"), cluster.KeyOn<IVault>(1, "hosts-other"));
        await Task.WhenAll(cluster.Client.GetGrain<IVault>(hot).Get(), cluster.Client.GetGrain<IVault>(other).Get());
        var loading = cluster.Client.GetGrain<IVault>(hot).Move([slow]);
        await Signals.WaitAsync($"{slow} activating");

        // If it were held, this would wait until the slow one is there, which comes later.
        await cluster.Client.GetGrain<IVault>(hot).Move([other]).WaitAsync(TimeSpan.FromMinutes(2));
        Assert.False(loading.IsCompleted);
        Signals.Set($"{slow} may");
        await loading;
        Assert.Equal(
            (98, 101, 101),
            (await cluster.Client.GetGrain<IVault>(hot).Get(), await cluster.Client.GetGrain<IVault>(slow).Get(),
                await cluster.Client.GetGrain<IVault>(other).Get()));
    }

    [Fact]
    public async Task Transfers_over_the_same_accounts_lose_nothing()
    {
        await using var cluster = await TestHost.StartAsync(silos: 2, policy: "reserve");
        await TransferAsync(cluster, (scout, from, to) => scout.Move(from, to));
    }

    private static async Task TransferAsync(TestHost cluster, Func<IScout, string, string[], Task> move)
    {
        var keys = Enumerable.Range(0, 4).Select(i => cluster.KeyOn<IWallet>(i % 2, $"shared{i}-")).ToArray();
        await Task.WhenAll(Enumerable.Range(0, 8).Select(async client =>
        {
            for (var i = 0; i < 5; i++)
            {
                var from = keys[(client + i) % keys.Length];
                await move(
                    cluster.Client.GetGrain<IScout>($"hosts-scout{client}"),
                    from,
                    [.. keys.Where(key => key != from)]);
            }
        }));
        var sum = 0;
        foreach (var key in keys) sum += await cluster.Client.GetGrain<IWallet>(key).Get();
        Assert.Equal(400, sum);
    }
}
