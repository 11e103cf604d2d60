using Polyjuice.Contracts;
using Polyjuice.Simulation.Specification.Events;

namespace Polyjuice.Simulation.Specification.State;

/// <summary>A transaction at an owner.</summary>
internal sealed class BranchModel(TransactionId id)
{
    /// <summary>Which.</summary>
    public TransactionId Id { get; } = id;

    /// <summary>Where it stands.</summary>
    public BranchStatus Status { get; set; }

    /// <summary>The round in which it was ordered last; 0 when it was not.</summary>
    public int Round { get; set; }

    /// <summary>At which timestamp.</summary>
    public long Timestamp { get; set; }

    /// <summary>The partition that decides; below 0 when nobody does.</summary>
    public int Manager { get; set; } = -1;

    /// <summary>The epoch of that one's owner.</summary>
    public long ManagerEpoch { get; set; }

    /// <summary>What it accessed.</summary>
    public OrderedAccess[] Accesses { get; set; } = [];

    /// <summary>The undecided transactions that it read from or built upon, when it was ordered (R3).</summary>
    public IReadOnlyList<TransactionId> Dependencies { get; set; } = [];

    /// <summary>Whether its prepare is logged.</summary>
    public bool WillLog { get; set; }

    /// <summary>Whether its prepare says that it is committed when all have one.</summary>
    public bool IsStaged { get; set; }

    /// <summary>Whether it has voted in its round.</summary>
    public bool HasVoted { get; set; }

    /// <summary>The latest round that was refused.</summary>
    public int RefusedRound { get; set; }

    /// <summary>The latest round of which there is never to be a prepare (V2).</summary>
    public int PromisedRound { get; set; }

    /// <summary>How often it was served each participant (Q2).</summary>
    public Dictionary<ParticipantKey, int> Served { get; } = [];

    /// <summary>Whether it has written.</summary>
    public bool HasWrites => Array.Exists(Accesses, static access => access.Write is not null);

    /// <summary>For people.</summary>
    public override string ToString() =>
        $"{Id} {Status}, round {Round} at {Timestamp}, manager {Manager} epoch {ManagerEpoch}, voted {HasVoted}, "
        + $"refused {RefusedRound}, depends on {string.Join(", ", Dependencies)}";
}
