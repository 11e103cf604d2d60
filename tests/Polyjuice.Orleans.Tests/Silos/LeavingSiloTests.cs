using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Runtime;
using Orleans.Runtime.Placement;
using Orleans.TestingHost;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Silos;

/// <summary>A silo that leaves in good order answers the calls that it runs.</summary>
public sealed class LeavingSiloTests
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(2);

    [Fact]
    public async Task A_call_that_runs_there_is_answered_before_the_silo_ends()
    {
        const long Key = 7_201;
        await using var cluster = await PolyjuiceCluster.StartAsync(2);
        var (stays, leaves) = (cluster.Silos[0], cluster.Silos[1]);
        RequestContext.Set(IPlacementDirector.PlacementHintKey, leaves.SiloAddress);
        var call = cluster.Client.GetGrain<IPatient>(Key).DepositAndIgnore(Key, CancellationToken.None);
        RequestContext.Remove(IPlacementDirector.PlacementHintKey);
        await PatientGrain.Reached(Key);

        var leaving = cluster.StopSiloAsync(leaves);
        await HeardAsync(stays, leaves.SiloAddress);
        Assert.False(call.IsCompleted);
        Assert.False(leaving.IsCompleted);
        PatientGrain.Release(Key);

        await call.WaitAsync(s_patience);
        await leaving.WaitAsync(s_patience);
        Assert.Equal(1, await cluster.Client.GetGrain<IAccount>(Key).GetBalance());
    }

    private static async Task HeardAsync(InProcessSiloHandle silo, SiloAddress leaves)
    {
        using var patience = new CancellationTokenSource(s_patience);
        var membership = silo.ServiceProvider.GetRequiredService<IClusterMembershipService>();
        await foreach (var snapshot in membership.MembershipUpdates.WithCancellation(patience.Token))
        {
            if (snapshot.GetSiloStatus(leaves) is SiloStatus.ShuttingDown or SiloStatus.Stopping) return;
        }
    }
}
