using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.TestingHost;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Silos;

/// <summary>Silos of Orleans' own engine and of this one do not form a cluster, whichever comes first.</summary>
public sealed class MixedEnginesTests
{
    private readonly RefusedSilo _refused = new();
    private readonly LogLines _lines = new("Polyjuice.Orleans");

    [Fact]
    public async Task A_silo_does_not_join_a_cluster_of_the_other_engine()
    {
        await using var cluster = await StartAsync(silo => silo != "Silo_0");
        await cluster.Client.GetGrain<IAccount>(1).Deposit(10);

        var refusal = await _refused.StartAsync(cluster);

        Assert.Contains("two engines must not share a cluster", refusal?.ToString(), StringComparison.Ordinal);
        var members = Membership(cluster, 0).CurrentSnapshot.Members.Values;
        Assert.Single(members, member => member.Status == SiloStatus.Active);
        await cluster.Client.GetGrain<IAccount>(1).Deposit(5);
        Assert.Equal(15, await cluster.Client.GetGrain<IAccount>(1).GetBalance());
    }

    [Fact]
    public async Task A_silo_of_the_other_engine_that_joins_is_declared_dead_and_changes_nothing()
    {
        await using var cluster = await StartAsync(silo => silo == "Silo_0");
        long[] accounts = [.. Enumerable.Range(0, 16).Select(key => (long)key)];
        foreach (var account in accounts) await cluster.Client.GetGrain<IAccount>(account).Deposit(10);

        // Its start may end either way: it is told that it is dead while it starts, or soon after.
        var start = _refused.StartAsync(cluster);
        using var patience = new CancellationTokenSource(TimeSpan.FromMinutes(1));
        await foreach (var snapshot in Membership(cluster, 0).MembershipUpdates.WithCancellation(patience.Token))
        {
            if (snapshot.Members.Values.Any(member => member.Status == SiloStatus.Dead)) break;
        }

        Assert.Contains(
            _lines.All,
            line => line.Level == LogLevel.Critical
                && line.Text.Contains("Two engines must not share a cluster", StringComparison.Ordinal));
        foreach (var account in accounts)
            await cluster.Client.GetGrain<ITeller>(0).Transfer(account, (account + 1) % accounts.Length, 1);
        Assert.Equal(10 * accounts.Length, await cluster.Client.GetGrain<ITeller>(0).Sum(accounts));
        await start;
    }

    private async Task<InProcessTestCluster> StartAsync(Func<string, bool> isOurs)
    {
        var builder = new InProcessTestClusterBuilder(1);
        builder.ConfigureSilo((options, silo) =>
        {
            _refused.Watch(silo)
                .ConfigureLogging(logging => logging.SetMinimumLevel(LogLevel.Warning).AddProvider(_lines));
            if (isOurs(options.SiloName)) silo.UsePolyjuice();
            else silo.UseTransactions().AddMemoryGrainStorageAsDefault();
        });
        var cluster = builder.Build();
        await cluster.DeployAsync();
        return cluster;
    }

    private static IClusterMembershipService Membership(InProcessTestCluster cluster, int silo) =>
        cluster.GetSiloServiceProvider(cluster.Silos[silo].SiloAddress).GetRequiredService<IClusterMembershipService>();
}
