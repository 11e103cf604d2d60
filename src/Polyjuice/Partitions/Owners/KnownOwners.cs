using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>Which node owns what, as far as this one knows.</summary>
internal sealed class KnownOwners(EngineContext context, DeadNodes dead, LogOwners logs, OwnedPartitions partitions)
{
    private readonly ReservationOrder _order = new(new NodeId[logs.Count]);

    /// <summary>By the owners that are known now.</summary>
    public ReservationOrder InOrder()
    {
        for (var partition = 0; partition < _order.Owners.Length; partition++)
            _order.Owners[partition] = partitions.Owner(partition) is not null
                ? context.Node
                : context.Host.OwnerOf(partition);
        return _order;
    }

    public NodeId NodeOf(in PlannedReservation entry) =>
        partitions.Owner(entry.Partition) is not null
            ? context.Node
            : PartitionNames.IsRow(entry.Partition)
                ? context.Host.OwnerOfRow(entry.Key.Grain, entry.Key.State)
                : context.Host.OwnerOf(entry.Partition);

    /// <summary>
    /// Who decides for all whether transactions reserve, and how many attempts may run: of the owners of logs the one
    /// with the lowest number. <see cref="NodeId.None"/> if none is known.
    /// </summary>
    public NodeId Leader()
    {
        var leader = NodeId.None;
        foreach (var owner in InOrder().Owners)
        {
            if (owner != NodeId.None && !dead.Contains(owner) && (leader == NodeId.None || owner.CompareTo(leader) < 0))
                leader = owner;
        }

        return leader;
    }
}
