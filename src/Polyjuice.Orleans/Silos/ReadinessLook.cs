using Orleans.Runtime;

namespace Polyjuice.Orleans.Silos;

/// <summary>How far a silo has got. Thread-safe.</summary>
internal sealed class ReadinessLook(SiloIdentity self, EngineLife life, GrainPlaces places, ServedPartitions partitions)
{
    private volatile bool _hasServed;

    /// <summary>It serves all that was its own as it started.</summary>
    public void Served() => _hasServed = true;

    /// <inheritdoc cref="IPolyjuiceSilo.Readiness"/>
    public SiloReadiness Look()
    {
        var view = places.View;
        var (count, owned, served, unwritable) = (view.Map.Count, 0, 0, 0);
        string? problem = null;
        for (var partition = 0; partition < count; partition++)
        {
            if (view.Map.OwnerOf(partition) != self.Node) continue;
            owned++;
            var (isServed, outage) = partitions.LookAt(partition);
            if (isServed) served++;
            if (isServed && outage is not null) unwritable++;
            if (outage is null && !isServed && partitions.States[partition].Problem is { } found)
                outage = $"partition {partition}: {found}";
            problem ??= outage;
        }

        var (status, isStopping) = (view.StatusOf(self.Node), life.IsStopping);
        return new(status, count, owned, served, isStopping)
        {
            Unwritable = unwritable,
            Problem = problem,
            IsTakingOver = _hasServed && served < owned && problem is null && status == SiloStatus.Active
                && !isStopping,
        };
    }
}
