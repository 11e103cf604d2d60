using Polyjuice.Orleans;

namespace Polyjuice.Testing.Tests.Clusters;

public sealed class SiloLifeTests
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task A_silo_leaves_and_another_one_joins()
    {
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options => options.Partitions = 4);
        await using var traffic = new PurseTraffic(cluster);
        await traffic.WhenAcknowledged(20);

        var first = cluster.Silos[0];
        await first.LeaveAsync();
        await cluster.WhenServedAsync();
        await traffic.WhenAcknowledged(20);
        var third = await cluster.StartSiloAsync();
        await cluster.WhenServedAsync();
        await traffic.WhenAcknowledged(20);

        Assert.Equal(TestSiloState.Stopped, first.State);
        Assert.Equal(["Silo_1", third.Name], cluster.Silos.Select(silo => silo.Name));
        Assert.Equal(2, third.Engine.Readiness.Owned);
        await traffic.EndAsync();
    }

    [Fact]
    public async Task A_silo_returns_under_its_name()
    {
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options => options.Silos = 1);
        await cluster.Grains.GetGrain<IPurse>(1).Put(7);
        var first = cluster.Silos[0];

        var second = await first.RestartAsync();
        await cluster.WhenServedAsync();

        Assert.Equal(first.Name, second.Name);
        Assert.NotEqual(first.Address, second.Address);
        Assert.Equal(7, await cluster.Grains.GetGrain<IPurse>(1).Count());
    }

    [Fact]
    public async Task A_crash_loses_nothing_that_was_acknowledged()
    {
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options =>
        {
            options.Silos = 3;
            options.Partitions = 6;
            options.ResponseTimeout = TimeSpan.FromSeconds(3);
        });
        await using var traffic = new PurseTraffic(cluster);
        await traffic.WhenAcknowledged(30);

        var crashed = cluster.Silos[0];
        await crashed.CrashAsync();
        await cluster.WhenServedAsync();
        await traffic.WhenAcknowledged(30);

        Assert.Equal(TestSiloState.Crashed, crashed.State);
        Assert.Equal(2, cluster.Silos.Count);
        await traffic.EndAsync();
    }

    [Fact]
    public async Task What_a_silo_finishes_that_leaves_one_that_crashes_does_not()
    {
        Assert.Equal((3, 3L), await EndAsync(silo => silo.LeaveAsync()));
        Assert.Equal((0, 0L), await EndAsync(silo => silo.CrashAsync()));

        // Three coins are put into one purse while the log of its silo stands still. Then the silo ends.
        static async Task<(int Answered, long Durable)> EndAsync(Func<TestSilo, Task> end)
        {
            await using var cluster = await PolyjuiceTestCluster.StartAsync(
                options => options.ResponseTimeout = TimeSpan.FromSeconds(5));
            var purse = cluster.Grains.GetGrain<IPurse>(1);
            await purse.Put(0);
            await cluster.WhenIdleAsync();
            var silo = cluster.SiloOf(purse)!;
            silo.Log.Hold();
            var before = silo.Observed.Statistics!.Attempts;
            var puts = Enumerable.Range(0, 3).Select(_ => purse.Put(1)).ToArray();
            using (var patience = new CancellationTokenSource(s_patience))
            {
                // All of them: what has not begun when the silo crashes begins at its successor.
                while (silo.Observed.Statistics!.Attempts < before + puts.Length) await Task.Delay(10, patience.Token);
            }

            var ended = end(silo);
            silo.Log.Release();
            await ended;
            var answered = 0;
            foreach (var put in puts)
            {
                try
                {
                    await put;
                    answered++;
                }
                catch (Exception)
                {
                    // Not answered in time.
                }
            }

            await cluster.WhenServedAsync();
            return (answered, await purse.Count());
        }
    }

    [Fact]
    public async Task A_silo_without_others_crashes_and_its_successor_has_all_that_was_acknowledged()
    {
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options => options.Silos = 1);
        await cluster.Grains.GetGrain<IPurse>(1).Put(7);

        await cluster.Silos[0].CrashAsync();
        Assert.Empty(cluster.Silos);
        await cluster.StartSiloAsync();
        await cluster.WhenServedAsync();

        Assert.Equal(7, await cluster.Grains.GetGrain<IPurse>(1).Count());
    }

    [Fact]
    public async Task A_silo_stands_still_and_goes_on()
    {
        await using var cluster = await PolyjuiceTestCluster.StartAsync();
        var purse = cluster.Grains.GetGrain<IPurse>(1);
        await purse.Put(1);
        var silo = cluster.SiloOf(purse)!;

        silo.Pause();
        var put = purse.Put(1);
        Assert.NotSame(put, await Task.WhenAny(put, Task.Delay(200)));
        silo.Resume();
        await put.WaitAsync(s_patience);

        Assert.Equal(2, await purse.Count());
        Assert.Equal(TestSiloState.Running, silo.State);
    }

    [Fact]
    public async Task A_silo_that_was_taken_for_dead_finds_itself_deposed()
    {
        await using var cluster = await PolyjuiceTestCluster.StartAsync(
            options => options.ResponseTimeout = TimeSpan.FromSeconds(3));
        await using var traffic = new PurseTraffic(cluster);
        await traffic.WhenAcknowledged(20);
        var silo = cluster.Silos[0];

        silo.Pause();
        await silo.DeclareDeadAsync();
        await traffic.WhenAcknowledged(20);
        silo.Resume();
        await silo.Ended.WaitAsync(s_patience);
        await cluster.WhenServedAsync();
        await traffic.WhenAcknowledged(20);

        Assert.Equal(TestSiloState.Stopped, silo.State);
        await traffic.EndAsync();
    }
}
