using Polyjuice.Commit;
using Polyjuice.Execution;
using Polyjuice.Hosting;

namespace Polyjuice.Reconnaissance;

/// <summary>A participant to be reserved.</summary>
/// <param name="Partition">As this node numbers it.</param>
/// <param name="Key">Which state of which grain.</param>
/// <param name="IsExclusive">Whether nobody else may hold it at the same time.</param>
internal readonly record struct PlannedReservation(int Partition, ParticipantKey Key, bool IsExclusive);

/// <summary>
/// What one attempt reserves, in the one order in which everybody does: logs by their number, then rows; within them by grain and state. It follows from names alone, so every silo has the same, and no two who hold nothing else wait
/// for each other. Since a silo owns whole partitions, a chain that follows the order visits a silo once for each run of consecutive partitions there.
/// </summary>
internal sealed class ReservationPlan
{
    private ReservationPlan(string type, PlannedReservation[] entries)
    {
        Type = type;
        Entries = entries;
    }

    /// <summary>The transaction's type.</summary>
    public string Type { get; }

    public PlannedReservation[] Entries { get; }

    /// <summary>Puts what is to be reserved in order; <see langword="null"/> when that is nothing.</summary>
    public static ReservationPlan? Of(string type, IEnumerable<PlannedReservation> entries)
    {
        var byPlace = new Dictionary<(int, ParticipantKey), PlannedReservation>();
        foreach (var entry in entries)
        {
            var place = (entry.Partition, entry.Key);
            byPlace[place] = byPlace.TryGetValue(place, out var known) ? known with { IsExclusive = known.IsExclusive || entry.IsExclusive } : entry;
        }

        if (byPlace.Count == 0) return null;
        var ordered = byPlace.Values.ToArray();
        Array.Sort(ordered, Compare);
        return new ReservationPlan(type, ordered);
    }

    public static void Write(ByteWriter writer, ReservationPlan? plan)
    {
        writer.UInt((ulong)(plan?.Entries.Length ?? 0));
        if (plan is null) return;
        writer.String(plan.Type);
        foreach (var entry in plan.Entries)
        {
            writer.Partition(entry.Partition);
            writer.String(entry.Key.Grain);
            writer.String(entry.Key.State);
            writer.String(entry.Key.GrainClass);
            writer.Byte(entry.IsExclusive ? (byte)1 : (byte)0);
        }
    }

    public static ReservationPlan? Read(ref ByteReader reader)
    {
        var entries = new PlannedReservation[reader.Count()];
        if (entries.Length == 0) return null;
        var type = reader.Name();
        for (var i = 0; i < entries.Length; i++)
        {
            var partition = reader.Partition();
            entries[i] = new PlannedReservation(partition, new ParticipantKey(reader.String(), reader.Name(), reader.Name()), reader.Byte() != 0);
        }

        return new ReservationPlan(type, entries);
    }

    // A row's number is its node's own, its name is not.
    private static int Compare(PlannedReservation one, PlannedReservation other)
    {
        var (row, otherRow) = (PartitionNames.IsRow(one.Partition), PartitionNames.IsRow(other.Partition));
        if (row != otherRow) return row ? 1 : -1;
        if (!row && one.Partition != other.Partition) return one.Partition.CompareTo(other.Partition);
        var byGrain = string.CompareOrdinal(one.Key.Grain, other.Key.Grain);
        if (byGrain != 0) return byGrain;
        var byState = string.CompareOrdinal(one.Key.State, other.Key.State);
        return byState != 0 ? byState : string.CompareOrdinal(one.Key.GrainClass, other.Key.GrainClass);
    }
}
