using Microsoft.Extensions.Logging;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Silos;

/// <summary>Finds where grains belong that somebody has sent here. Thread-safe.</summary>
internal sealed class OwnerSearch(
    SiloIdentity self, SiloLife life, SiloServices silo, GrainPlaces places, IReadOnlyList<SiloEngine> engines,
    MembershipFollower follower, ILogger logger)
{
    private const long AgreeIntervalMilliseconds = 1_000;

    private readonly Lock _gate = new();
    private Task _agreeing = Task.CompletedTask;
    private long _agreedAt = -AgreeIntervalMilliseconds;

    /// <summary>
    /// Where a grain belongs that somebody has sent here. If that is another silo, then either who has sent it went by
    /// an old address, or one of the two silos has missed a change of membership: this one looks at the membership
    /// table before it says so, and makes the others look.
    /// </summary>
    public async Task<SiloAddress?> FindAsync(GrainId grain, CancellationToken cancellationToken)
    {
        await follower.CatchUpAsync();
        var partition = places.PartitionOf(grain);
        if (!self.Silo.Equals(places.OwnerOf(grain)) && !WasServed(partition)) await AgreeAsync(cancellationToken);
        var owner = places.OwnerOf(grain);
        if (owner is not null && !owner.Equals(self.Silo)) HostLog.SentOn(logger, grain, partition, owner);
        return owner;
    }

    private bool WasServed(int partition)
    {
        foreach (var engine in engines)
        {
            if (engine.Partitions.States[partition].WasServed) return true;
        }

        return false;
    }

    /// <summary>
    /// Looks at the membership table, and makes the others look; at most once a second, and a table that cannot be read
    /// changes nothing.
    /// </summary>
    private async Task AgreeAsync(CancellationToken cancellationToken)
    {
        Task agreeing;
        lock (_gate)
        {
            var now = Environment.TickCount64;
            if (now - _agreedAt >= AgreeIntervalMilliseconds)
            {
                _agreedAt = now;

                // Not on the scheduler of the grain that happens to be the first to ask, nor in its flow.
                using (ExecutionContext.SuppressFlow()) _agreeing = Task.Run(LookAsync, CancellationToken.None);
            }

            agreeing = _agreeing;
        }

        await agreeing.WaitAsync(cancellationToken);
    }

    private async Task LookAsync()
    {
        try
        {
            var membership = silo.Membership;
            await membership.Refresh(default, life.Stopping);
            await follower.CatchUpAsync();
            var peers = silo.Peers;
            var version = membership.CurrentSnapshot.Version;
            foreach (var peer in places.View.Others(self.Node)) peers.Notice(peer, version);
        }
        catch (Exception exception)
        {
            if (!life.IsStopping) HostLog.MembershipFailed(logger, exception);
        }
    }
}
