using Orleans.Runtime;
using Polyjuice.Orleans.Groups;

namespace Polyjuice.Orleans.Silos;

/// <summary>Where grains belong, by the cluster as this silo sees it. Thread-safe.</summary>
internal sealed class GrainPlaces(SiloLogs logs, TransactionGroups groups)
{
    private ClusterView _view = ClusterView.Empty(0);

    /// <summary>The cluster as this silo sees it. Whoever follows its membership sets it.</summary>
    public ClusterView View
    {
        get => Volatile.Read(ref _view);
        set => Volatile.Write(ref _view, value);
    }

    /// <summary>Number of log partitions.</summary>
    /// <exception cref="InvalidOperationException">The logs are not open yet.</exception>
    public int Partitions => logs.Partitions;

    /// <summary>The partition of a grain, by its group.</summary>
    /// <exception cref="TransactionGroupException">
    /// Its class declares a group, and it belongs to none.
    /// </exception>
    public int PartitionOf(GrainId grain) => groups.PartitionOf(grain, logs.Partitions);

    /// <inheritdoc cref="IPolyjuiceSilo.OwnerOf"/>
    public SiloAddress? OwnerOf(GrainId grain)
    {
        var view = View;
        return view.Map.Count == 0 ? null : view.SiloOf(view.Map.OwnerOf(groups.PartitionOf(grain, view.Map.Count)));
    }
}
