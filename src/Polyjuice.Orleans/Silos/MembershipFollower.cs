using Microsoft.Extensions.Logging;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// Follows the cluster's membership: which log partitions each engine of this silo serves is a function of it, and the
/// engines hear who is dead. How many engines another silo has is in its manifest. Thread-safe.
/// </summary>
internal sealed class MembershipFollower(
    SiloIdentity self, SiloLife life, SiloServices silo, GrainPlaces places, IReadOnlyList<SiloEngine> engines,
    ILogger logger)
{
    private static readonly TimeSpan s_failureDelay = TimeSpan.FromMilliseconds(200);

    private readonly Lock _gate = new();

    /// <summary>Takes each change, until the silo stops.</summary>
    public Task FollowAsync() => RepeatAsync(async () =>
    {
        var updates = silo.Membership.MembershipUpdates.WithCancellation(life.Stopping);
        await foreach (var snapshot in updates.ConfigureAwait(false)) Apply(snapshot);
    });

    /// <summary>
    /// Takes each silo's number of engines, and whether it has classes, as that becomes known, which may be some time
    /// after its membership, until the silo stops.
    /// </summary>
    public Task FollowManifestsAsync() => RepeatAsync(async () =>
    {
        var updates = silo.Manifests.Updates.WithCancellation(life.Stopping);
        await foreach (var _ in updates.ConfigureAwait(false)) Apply(silo.Membership.CurrentSnapshot);
    });

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

    private async Task RepeatAsync(Func<Task> follow)
    {
        while (!life.IsStopping)
        {
            try
            {
                await follow().ConfigureAwait(false);
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

    private void Apply(ClusterMembershipSnapshot snapshot)
    {
        ClusterView view;
        lock (_gate)
        {
            var earlier = places.View;
            if (snapshot.Version < earlier.Version) return;
            places.View = view = ClusterView.Of(snapshot, places.Partitions, EnginesOf, HasClasses);
            foreach (var address in view.Dead)
            {
                var first = NodeIds.Of(address);
                if (earlier.IsDead(first)) continue;
                HostLog.SiloDied(logger, address, first);
                silo.Peers.Forget(address);
                foreach (var engine in engines) Died(engine, address);
            }
        }

        foreach (var engine in engines) engine.TakeOvers.Reconcile(view);
    }

    // How many engines it had need not be known.
    private static void Died(SiloEngine engine, SiloAddress silo)
    {
        using (engine.Turn.Enter())
        {
            foreach (var node in NodeIds.AllOf(silo)) engine.Engine.NodeDead(node);
        }
    }

    // Of a silo that has just joined it is not known yet; most silos have as many as this one. Where that is wrong,
    // messages are lost until it is known.
    private int EnginesOf(SiloAddress address) =>
        !address.Equals(self.Silo) && silo.Manifests.Current.Silos.TryGetValue(address, out var manifest)
            ? EngineCount.Of(manifest)
            : engines.Count;

    // Of a silo that has just joined it is not known yet, either: most have some.
    private bool HasClasses(SiloAddress address) => address.Equals(self.Silo)
        ? SiloClasses.HasAny(silo.Manifests.LocalGrainManifest)
        : !silo.Manifests.Current.Silos.TryGetValue(address, out var manifest) || SiloClasses.HasAny(manifest);
}
