using Polyjuice.Embedded.Tests.RealTime;

namespace Polyjuice.Embedded.Tests.Simulated;

public sealed class OpenTimeTests
{
    [Fact]
    public void Transactions_are_counted_as_open_from_their_begin_to_their_end()
    {
        using var cluster = SimulatedTestCluster.Start(configure: options => options.AppendLatency = TimeSpan.FromMilliseconds(50));
        var took = cluster.Run(async () =>
        {
            var began = cluster.Elapsed;
            await Task.WhenAll(Enumerable.Range(0, 3).Select(i => cluster.Client.GetGrain<IAccount>($"a{i}").Add(1)));
            return cluster.Elapsed - began;
        });

        // Three side by side, each of which waits for an append at least.
        Assert.InRange(cluster.Statistics.Engine.OpenMicroseconds, 3 * 50_000, 3 * took.TotalMicroseconds);
    }

    [Fact]
    public void What_a_transaction_waits_before_it_begins_counts_as_well()
    {
        using var cluster = SimulatedTestCluster.Start();
        var grain = cluster.Client.GetGrain<IClockGrain>("c");
        var second = TimeSpan.FromSeconds(1);
        cluster.Run(() => Task.WhenAll(Enumerable.Range(0, 3).Select(_ => grain.WaitInTransaction(second))));

        // The grain is not reentrant: the second waits for the first, and the third for both. The clock is that of the latest batch of work, and so a little late.
        Assert.InRange(cluster.Statistics.Engine.OpenMicroseconds, 5_950_000, 6_050_000);
    }

    [Fact]
    public void What_fails_is_open_no_longer()
    {
        using var cluster = SimulatedTestCluster.Start();
        cluster.Run(async () => await Assert.ThrowsAnyAsync<Exception>(() => cluster.Client.GetGrain<ITeller>("t").TransferThenThrow("a", "b", 1)));
        var open = cluster.Statistics.Engine.OpenMicroseconds;
        cluster.RunFor(TimeSpan.FromSeconds(10));
        cluster.Run(() => cluster.Client.GetGrain<IAccount>("a").Add(1));

        Assert.InRange(cluster.Statistics.Engine.OpenMicroseconds - open, 0, 5_000_000);
    }
}
