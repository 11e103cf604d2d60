using System.Runtime.InteropServices;
using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>
/// The one order in which everybody reserves: logs by owner and number, then rows; within them by grain and state. So a
/// chain visits a silo once, and no two who see the same owners and hold nothing else wait for each other while
/// messages keep their order. While partitions move, two silos may see other owners: what they wait for then is in no
/// order (<see cref="View"/>). Turn only.
/// </summary>
internal sealed class ReservationOrder
{
    private readonly Comparison<PlannedReservation> _compare;

    /// <param name="owners">
    /// Of all logs, by number, as far as they are known. Whoever changes them does so between two plans.
    /// </param>
    public ReservationOrder(NodeId[] owners)
    {
        Owners = owners;
        _compare = Compare;
    }

    public NodeId[] Owners { get; }

    /// <summary>Stands for the owners that the order follows from.</summary>
    public ulong View
    {
        get
        {
            var view = (ulong)Owners.Length;
            foreach (var owner in Owners) view = (view ^ (ulong)owner.Value) * 0x9E3779B97F4A7C15;
            return view;
        }
    }

    /// <summary>Puts what is to be reserved in order.</summary>
    public void Sort(List<PlannedReservation> entries) => CollectionsMarshal.AsSpan(entries).Sort(_compare);

    // A row's number is its node's own, its name is not.
    private int Compare(PlannedReservation one, PlannedReservation other)
    {
        if (one.Partition != other.Partition)
        {
            var (ofRow, ofOtherRow) = (PartitionNames.IsRow(one.Partition), PartitionNames.IsRow(other.Partition));
            if (ofRow != ofOtherRow) return ofRow ? 1 : -1;
            if (!ofRow)
            {
                var byOwner = Owners[one.Partition].Value.CompareTo(Owners[other.Partition].Value);
                return byOwner != 0 ? byOwner : one.Partition.CompareTo(other.Partition);
            }
        }

        var byGrain = string.CompareOrdinal(one.Key.Grain, other.Key.Grain);
        if (byGrain != 0) return byGrain;
        var byState = string.CompareOrdinal(one.Key.State, other.Key.State);
        return byState != 0 ? byState : string.CompareOrdinal(one.Key.GrainClass, other.Key.GrainClass);
    }
}
