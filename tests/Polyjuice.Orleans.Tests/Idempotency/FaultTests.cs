using Orleans;
using Orleans.Transactions;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Testing;

namespace Polyjuice.Orleans.Tests.Idempotency;

/// <summary>What has happened to silos makes no difference to how often calls with keys have their effect.</summary>
public sealed class FaultTests
{
    private const int Tills = 6;

    [Fact]
    public async Task An_answer_is_there_after_all_silos_have_crashed()
    {
        await using var cluster = await PolyjuiceTestCluster.StartAsync(
            options => (options.Silos, options.Partitions) = (2, 4));
        var answers = new List<int>();
        for (var till = 0; till < Tills; till++) answers.Add(await PayAsync(cluster, 40_000 + till, $"{till}"));
        var before = TillGrain.RunsOf(40_000);

        await Task.WhenAll(cluster.Silos.Select(silo => silo.CrashAsync()));
        await cluster.StartSiloAsync();
        await cluster.WhenServedAsync();

        for (var till = 0; till < Tills; till++)
        {
            Assert.Equal(answers[till], await PayAsync(cluster, 40_000 + till, $"{till}"));
            Assert.Equal(2, await cluster.Grains.GetGrain<ITill>(40_000 + till).Total());
        }

        Assert.Equal(before, TillGrain.RunsOf(40_000));
    }

    [Theory]
    [InlineData("occ", 11)]
    [InlineData("ic3", 12)]
    public async Task Each_key_has_its_effect_once_under_faults(string policy, int seed)
    {
        const int Keys = 240;
        const int Faults = 10;
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options =>
        {
            (options.Silos, options.Partitions, options.Policy, options.RecordsHistory) = (3, 6, policy, true);
            options.ResponseTimeout = TimeSpan.FromSeconds(3);
        });
        cluster.Faults = new ClusterFaults { Seed = seed, FaultsMax = 14 }
            .Every(FaultKind.Crash, TimeSpan.FromSeconds(1)).Every(FaultKind.Disconnection, TimeSpan.FromSeconds(0.5))
            .Every(FaultKind.Deposition, TimeSpan.FromSeconds(3)).Every(FaultKind.BatchLoss, TimeSpan.FromSeconds(1))
            .Every(FaultKind.AppendFailure, TimeSpan.FromSeconds(1));
        var last = 0;

        // A quick machine has made them all before the first fault.
        do await cluster.RunAsync(PayOnceAsync, options => options.Calls = Keys);
        while (cluster.FaultLedger!.Entries.Count < Faults);
        await cluster.SettleAsync();

        var totals = new int[2 * Tills];
        for (var till = 0; till < totals.Length; till++)
            totals[till] = await cluster.Grains.GetGrain<ITill>(50_000 + till).Total();
        Assert.Equal((last, last), (totals[..Tills].Sum(), totals[Tills..].Sum()));
        await cluster.RequireAsync();
        Assert.True(cluster.FaultLedger!.Entries.Count > 0);

        async Task PayOnceAsync(WorkloadClient client)
        {
            var key = Interlocked.Increment(ref last);
            var (till, other) = (50_000 + client.Random.Next(Tills), 50_000 + Tills + client.Random.Next(Tills));
            while (true)
            {
                try
                {
                    using (IdempotencyKey.Use($"{key}"))
                    {
                        await client.Grains.GetGrain<ITill>(till).PayBoth(other, 1);
                        return;
                    }
                }
                catch (Exception exception) when (MayBeRepeated(exception))
                {
                    // Nobody knows whether it has paid: the same call again.
                }
            }
        }
    }

    private static bool MayBeRepeated(Exception exception) =>
        exception is not IdempotencyException
        && exception is OrleansTransactionException or TimeoutException or global::Orleans.Runtime.OrleansException;

    private static async Task<int> PayAsync(PolyjuiceTestCluster cluster, long till, string key)
    {
        using (IdempotencyKey.Use(key)) return await cluster.Grains.GetGrain<ITill>(till).Pay(2);
    }
}
