using Polyjuice.Commit;
using Polyjuice.Execution;
using Polyjuice.Hosting;

namespace Polyjuice.Reconnaissance;

/// <summary>A participant to be reserved.</summary>
/// <param name="Partition">As this node numbers it.</param>
/// <param name="Key">Which state of which grain.</param>
/// <param name="IsExclusive">Whether nobody else may hold it at the same time.</param>
/// <param name="Accesses">How many accesses there will be, as far as is known: after the last of them it may be handed on. 0 when that is not known.</param>
internal readonly record struct PlannedReservation(int Partition, ParticipantKey Key, bool IsExclusive, int Accesses);

/// <summary>
/// What one attempt reserves, in the one order in which everybody does: logs by owner and number, then rows; within them by grain and state. So a chain visits a silo once, and no two who see the same owners and hold nothing else wait
/// for each other while messages keep their order. While partitions move, two silos may see other owners: what they wait for then is in no order (<see cref="View"/>).
/// </summary>
internal sealed class ReservationPlan
{
    private ReservationPlan(string type, ulong view, PlannedReservation[] entries, bool isPartial)
    {
        IsPartial = isPartial;
        Type = type;
        View = view;
        Entries = entries;
    }

    /// <summary>Whether the transaction is going to access more, at participants where it is not worth a reservation.</summary>
    public bool IsPartial { get; }

    /// <summary>At the agent's node: whether it was learned from other transactions (<see cref="LearnedAccesses"/>), and not found out by a dry run of this one, nor declared.</summary>
    public bool IsLearned { get; private init; }

    /// <summary>Stands for the owners that the order follows from: plans of the same view are in the same order.</summary>
    public ulong View { get; }

    /// <summary>The transaction's type.</summary>
    public string Type { get; }

    public PlannedReservation[] Entries { get; }

    /// <summary>Puts what is to be reserved in order; <see langword="null"/> when that is nothing.</summary>
    /// <param name="type">The transaction's type.</param>
    /// <param name="entries">What is to be reserved; accesses to one participant add up.</param>
    /// <param name="owners">Of all logs, by number, as far as they are known here.</param>
    /// <param name="isPartial">Whether there will be other accesses.</param>
    /// <param name="isLearned">Whether it was learned.</param>
    public static ReservationPlan? Of(string type, IEnumerable<PlannedReservation> entries, ReadOnlySpan<NodeId> owners, bool isPartial = false, bool isLearned = false)
    {
        var ordered = entries.ToArray();
        if (ordered.Length == 0) return null;
        var places = new PlannedPlace[ordered.Length];
        for (var i = 0; i < ordered.Length; i++) places[i] = new PlannedPlace(PartitionNames.IsRow(ordered[i].Partition) ? long.MaxValue : owners[ordered[i].Partition].Value, ordered[i]);
        Array.Sort(places, ordered);
        var count = 0;
        for (var i = 1; i < ordered.Length; i++)
        {
            ref var last = ref ordered[count];
            if (ordered[i].Partition != last.Partition || ordered[i].Key != last.Key) ordered[++count] = ordered[i];
            else last = last with { IsExclusive = last.IsExclusive || ordered[i].IsExclusive, Accesses = last.Accesses + ordered[i].Accesses };
        }

        Array.Resize(ref ordered, count + 1);
        var view = (ulong)owners.Length;
        foreach (var owner in owners) view = (view ^ (ulong)owner.Value) * 0x9E3779B97F4A7C15;
        return new ReservationPlan(type, view, ordered, isPartial) { IsLearned = isLearned };
    }

    public static void Write(ByteWriter writer, ReservationPlan? plan)
    {
        writer.UInt((ulong)(plan?.Entries.Length ?? 0));
        if (plan is null) return;
        writer.String(plan.Type);
        writer.Int((long)plan.View);
        writer.Byte(plan.IsPartial ? (byte)1 : (byte)0);
        foreach (var entry in plan.Entries)
        {
            writer.Partition(entry.Partition);
            writer.String(entry.Key.Grain);
            writer.String(entry.Key.State);
            writer.String(entry.Key.GrainClass);
            writer.Byte(entry.IsExclusive ? (byte)1 : (byte)0);
            writer.UInt((ulong)entry.Accesses);
        }
    }

    public static ReservationPlan? Read(ref ByteReader reader)
    {
        var entries = new PlannedReservation[reader.Count()];
        if (entries.Length == 0) return null;
        var type = reader.Name();
        var view = (ulong)reader.Int();
        var isPartial = reader.Byte() != 0;
        for (var i = 0; i < entries.Length; i++)
        {
            var partition = reader.Partition();
            entries[i] = new PlannedReservation(partition, new ParticipantKey(reader.String(), reader.Name(), reader.Name()), reader.Byte() != 0, (int)reader.UInt());
        }

        return new ReservationPlan(type, view, entries, isPartial);
    }

    /// <summary>Where a participant comes in the order.</summary>
    /// <param name="Owner">Of its log; rows come last.</param>
    /// <param name="Entry">The participant.</param>
    private readonly record struct PlannedPlace(long Owner, PlannedReservation Entry) : IComparable<PlannedPlace>
    {
        // A row's number is its node's own, its name is not.
        public int CompareTo(PlannedPlace other)
        {
            if (Owner != other.Owner) return Owner.CompareTo(other.Owner);
            if (Owner != long.MaxValue && Entry.Partition != other.Entry.Partition) return Entry.Partition.CompareTo(other.Entry.Partition);
            var byGrain = string.CompareOrdinal(Entry.Key.Grain, other.Entry.Key.Grain);
            if (byGrain != 0) return byGrain;
            var byState = string.CompareOrdinal(Entry.Key.State, other.Entry.Key.State);
            return byState != 0 ? byState : string.CompareOrdinal(Entry.Key.GrainClass, other.Entry.Key.GrainClass);
        }
    }
}
