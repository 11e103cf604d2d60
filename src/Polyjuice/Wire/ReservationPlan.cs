using System.Runtime.InteropServices;
using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>A participant to be reserved.</summary>
/// <param name="Partition">As this node numbers it.</param>
/// <param name="Key">Which state of which grain.</param>
/// <param name="IsExclusive">Whether nobody else may hold it at the same time.</param>
/// <param name="Accesses">
/// How many accesses there will be, as far as is known: after the
/// last of them it may be handed on. 0 when that is not known.
/// </param>
internal readonly record struct PlannedReservation(int Partition, ParticipantKey Key, bool IsExclusive, int Accesses);

/// <summary>What one attempt reserves, in the order in which everybody does (<see cref="ReservationOrder"/>).</summary>
internal sealed class ReservationPlan
{
    private ReservationPlan(string type, ulong view, PlannedReservation[] entries, bool isPartial)
    {
        IsPartial = isPartial;
        Type = type;
        View = view;
        Entries = entries;
    }

    /// <summary>
    /// Whether the transaction is going to access more, at participants where it is not worth a reservation.
    /// </summary>
    public bool IsPartial { get; }

    /// <summary>
    /// At the agent's node: whether it was learned from other transactions (<see cref="Agents.LearnedAccesses"/>), and
    /// not found out by a dry run of this one, nor declared.
    /// </summary>
    public bool IsLearned { get; private init; }

    /// <summary>
    /// Of the owners that the order follows from (<see cref="ReservationOrder.View"/>):
    /// plans of the same view are in the same order.
    /// </summary>
    public ulong View { get; }

    /// <summary>The transaction's type.</summary>
    public string Type { get; }

    public PlannedReservation[] Entries { get; }

    /// <summary>A plan for what is to be reserved; <see langword="null"/> when that is nothing.</summary>
    /// <param name="type">The transaction's type.</param>
    /// <param name="entries">
    /// What is to be reserved, which is put in order here; accesses to one participant add up.
    /// </param>
    /// <param name="order">The order.</param>
    /// <param name="isPartial">Whether there will be other accesses.</param>
    /// <param name="isLearned">Whether it was learned.</param>
    public static ReservationPlan? Of(
        string type, List<PlannedReservation> entries, ReservationOrder order, bool isPartial = false,
        bool isLearned = false)
    {
        if (entries.Count == 0) return null;
        order.Sort(entries);
        var ordered = CollectionsMarshal.AsSpan(entries);
        var count = 0;
        for (var i = 1; i < ordered.Length; i++)
        {
            ref var last = ref ordered[count];
            if (ordered[i].Partition != last.Partition || ordered[i].Key != last.Key) ordered[++count] = ordered[i];
            else
                last = last with
                {
                    IsExclusive = last.IsExclusive || ordered[i].IsExclusive,
                    Accesses = last.Accesses + ordered[i].Accesses
                };
        }

        return new ReservationPlan(type, order.View, ordered[..(count + 1)].ToArray(), isPartial)
        {
            IsLearned = isLearned
        };
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
        // Most messages carry none.
        var count = reader.Count();
        if (count == 0) return null;
        var entries = new PlannedReservation[count];
        var type = reader.Name();
        var view = (ulong)reader.Int();
        var isPartial = reader.Byte() != 0;
        for (var i = 0; i < entries.Length; i++)
        {
            var partition = reader.Partition();
            entries[i] = new PlannedReservation(
                partition,
                new ParticipantKey(reader.String(), reader.Name(), reader.Name()),
                reader.Byte() != 0,
                (int)reader.UInt());
        }

        return new ReservationPlan(type, view, entries, isPartial);
    }
}
