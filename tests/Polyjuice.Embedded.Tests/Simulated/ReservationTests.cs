using Polyjuice.Embedded.Tests.RealTime;
using Polyjuice.Execution;

namespace Polyjuice.Embedded.Tests.Simulated;

/// <summary>Reservations of grain code whose calls keep their grains' turns.</summary>
public sealed class ReservationTests
{
    [Fact]
    public void Transfers_over_the_same_accounts_in_any_order_never_abort()
    {
        const int Clients = 16;
        const int Each = 20;
        for (var seed = 1UL; seed <= 10; seed++)
        {
            using var cluster = SimulatedTestCluster.Start(seed, configure: options => options.PolicyName = "reserve");
            var keys = Enumerable.Range(0, 5).Select(i => $"account{i}").ToArray();
            var sum = cluster.Run(async () =>
            {
                await Task.WhenAll(Enumerable.Range(0, Clients).Select(async client =>
                {
                    for (var i = 0; i < Each; i++)
                    {
                        var from = keys[(client + i) % keys.Length];
                        await cluster.Client.GetGrain<IScout>($"scout{client}").Move(from, [.. keys.Where(key => key != from).OrderBy(key => (key[^1] * 31) ^ i)]);
                    }
                }));
                var balances = 0;
                foreach (var key in keys) balances += await cluster.Client.GetGrain<IAccount>(key).Get();
                return balances;
            });
            Assert.Equal(500, sum);
            var statistics = cluster.Statistics.Engine;
            var aborts = string.Join(", ", statistics.AbortsByReason.Select((count, reason) => (count, (AbortReason)reason)).Where(abort => abort.count > 0));
            Assert.True(aborts.Length == 0, $"seed {seed}: {aborts}; cut short {statistics.ReservationTimeouts}");
            Assert.Equal((Clients * Each, 0L), (statistics.Reservations, statistics.AccessSetMisses));
        }
    }

    [Fact]
    public void A_call_without_a_reservation_does_not_keep_the_turn_of_its_grain_from_whom_has_one()
    {
        for (var seed = 1UL; seed <= 5; seed++)
        {
            using var cluster = SimulatedTestCluster.Start(seed, configure: options => options.PolicyName = "reserve");
            string[] vaults = ["x", "y", "z"];
            var sum = cluster.Run(async () =>
            {
                var scouts = Enumerable.Range(0, 8).Select(async client =>
                {
                    for (var i = 0; i < 10; i++) await cluster.Client.GetGrain<IVaultScout>($"s{client}").Move(vaults[(client + i) % 3], vaults[(client + i + 1) % 3]);
                });
                var outsiders = Enumerable.Range(0, 8).Select(async client =>
                {
                    for (var i = 0; i < 10; i++) await cluster.Client.GetGrain<IVault>(vaults[(client + i) % 3]).Put(1);
                });
                await Task.WhenAll(scouts.Concat(outsiders));
                var coins = 0;
                foreach (var vault in vaults) coins += await cluster.Client.GetGrain<IVault>(vault).Count();
                return coins;
            });
            Assert.Equal(80, sum);
            Assert.Equal((0L, 0L), (cluster.Statistics.Engine.WaitsEndedByDeadline, cluster.Statistics.Engine.ReservationTimeouts));

            // A turn that is kept from whom it waits for would cost a wait's deadline at least.
            Assert.InRange(cluster.Elapsed, TimeSpan.Zero, TimeSpan.FromSeconds(2));
        }
    }
}
