using Microsoft.Extensions.Logging;
using Orleans.Runtime;
using Polyjuice.Orleans.Turns;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// Follows the cluster's membership: which log partitions this silo serves is a function of it, and the engine hears
/// who is dead. Thread-safe.
/// </summary>
internal sealed class MembershipFollower(
    EngineTurn turn, EngineLife life, SiloServices silo, GrainPlaces places, PartitionTakeOvers takeOvers,
    ILogger logger)
{
    private static readonly TimeSpan s_failureDelay = TimeSpan.FromMilliseconds(200);

    private readonly Lock _gate = new();

    /// <summary>Takes each change, until the silo stops.</summary>
    public async Task FollowAsync()
    {
        while (!life.IsStopping)
        {
            try
            {
                var updates = silo.Membership.MembershipUpdates.WithCancellation(life.Stopping);
                await foreach (var snapshot in updates.ConfigureAwait(false)) Apply(snapshot);
                return;
            }
            catch (OperationCanceledException) when (life.IsStopping)
            {
                return;
            }
            catch (Exception exception)
            {
                HostLog.MembershipFailed(logger, exception);
                await Task.Delay(s_failureDelay, CancellationToken.None).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Another silo has seen a membership that this one may have missed.</summary>
    public async Task NoteAsync(long version)
    {
        if (silo.Membership.CurrentSnapshot.Version.Value >= version) return;
        await silo.Membership.Refresh(new MembershipVersion(version), life.Stopping);
    }

    /// <summary>
    /// Takes what is known already, for who has waited for news and need not wait until they have come round by way of
    /// the updates. What follows from them is no part of the caller's flow.
    /// </summary>
    public Task CatchUpAsync()
    {
        var snapshot = silo.Membership.CurrentSnapshot;
        if (snapshot.Version <= places.View.Version) return Task.CompletedTask;
        using (ExecutionContext.SuppressFlow()) return Task.Run(() => Apply(snapshot), CancellationToken.None);
    }

    private void Apply(ClusterMembershipSnapshot snapshot)
    {
        ClusterView view;
        lock (_gate)
        {
            var earlier = places.View;
            if (snapshot.Version < earlier.Version) return;
            places.View = view = ClusterView.Of(snapshot, places.Partitions);
            foreach (var (node, address) in view.Dead)
            {
                if (earlier.IsDead(node)) continue;
                HostLog.SiloDied(logger, address, node);
                silo.Peers.Forget(address);
                using (turn.Enter()) life.Engine.NodeDead(node);
            }
        }

        takeOvers.Reconcile(view);
    }
}
