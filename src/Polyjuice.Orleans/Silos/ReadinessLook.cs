using Orleans.Runtime;

namespace Polyjuice.Orleans.Silos;

/// <summary>How far a silo has got. Thread-safe.</summary>
internal sealed class ReadinessLook(
    SiloIdentity self, SiloLife life, GrainPlaces places, IReadOnlyList<SiloEngine> engines)
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
            var node = view.Map.OwnerOf(partition);
            if (NodeIds.SiloOf(node) != NodeIds.SiloOf(self.Node)) continue;
            var partitions = engines[NodeIds.EngineOf(node, self.Node)].Partitions;
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
