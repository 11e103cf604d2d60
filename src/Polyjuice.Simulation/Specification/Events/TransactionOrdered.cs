using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>An owner has ordered a transaction, in this round or once more in a later one (R1, R2).</summary>
/// <param name="Node">The owner.</param>
/// <param name="Partition">Its partition.</param>
/// <param name="Id">The attempt.</param>
internal readonly record struct TransactionOrdered(NodeId Node, int Partition, TransactionId Id)
{
    /// <summary>The round.</summary>
    public required int Round { get; init; }

    /// <summary>The commit timestamp, if it commits.</summary>
    public required long Timestamp { get; init; }

    /// <summary>The partition that decides; below 0 when nothing was written.</summary>
    public required int Manager { get; init; }

    /// <summary>The epoch of that partition's owner, of which alone the decision may be.</summary>
    public required long ManagerEpoch { get; init; }

    /// <summary>All partitions that take part.</summary>
    public required ParticipantUse[] Parts { get; init; }

    /// <summary>What it accessed here.</summary>
    public required OrderedAccess[] Accesses { get; init; }

    /// <summary>On whom it depends, as the owner has it (R3).</summary>
    public required TransactionId[] Dependencies { get; init; }

    /// <summary>Whether its prepare is to be logged.</summary>
    public required bool WillLog { get; init; }

    /// <summary>Whether its prepare, here at its manager, says that it is committed when all have one.</summary>
    public bool IsStaged { get; init; }

    /// <summary>The owner's wall clock, in microseconds.</summary>
    public required long Now { get; init; }

    /// <summary>Whether it has written here.</summary>
    public bool HasWrites => Array.Exists(Accesses, static access => access.Write is not null);

    /// <summary>For people.</summary>
    public override string ToString() =>
        $"partition {Partition} of {Node} orders {Id} at {Timestamp}, round {Round}, manager {Manager}: "
        + $"{string.Join(", ", Accesses.Select(a => $"{a.Key.Grain} {a.Read}{(a.Write is { } write ? $" → {write}" : "")}"))}; depends on {string.Join(", ", Dependencies)}";
}
