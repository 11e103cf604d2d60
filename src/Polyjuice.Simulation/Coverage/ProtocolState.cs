using Polyjuice.Agents;
using Polyjuice.Partitions;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Coverage;

/// <summary>What happens in a state of the protocol.</summary>
internal enum StateEvent : byte
{
    /// <summary>A message arrives.</summary>
    Arrived,

    /// <summary>A message arrives at a partition, after another about the same transaction.</summary>
    Followed,

    /// <summary>A record is written.</summary>
    Written,

    /// <summary>The owner of a branch dies.</summary>
    OwnerDied,

    /// <summary>The agent of an attempt dies.</summary>
    AgentDied,

    /// <summary>The partition of a branch is given to another node, and its owner does not know.</summary>
    OwnerDeposed,
}

/// <summary>Where one who looks at a message stands to the epoch that it names.</summary>
internal enum EpochRelation : byte
{
    /// <summary>It names none, or another partition's.</summary>
    None,

    /// <summary>It names an earlier one.</summary>
    Older,

    /// <summary>It names the same.</summary>
    Same,

    /// <summary>It names a later one.</summary>
    Newer,
}

/// <summary>Where the agent of an attempt stands, wherever it is.</summary>
internal enum AgentStanding : byte
{
    /// <summary>It knows nothing of it, or not any more.</summary>
    Unknown,

    /// <inheritdoc cref="AgentState.Running"/>
    Running,

    /// <inheritdoc cref="AgentState.Preparing"/>
    Preparing,

    /// <inheritdoc cref="AgentState.Sealed"/>
    Sealed,

    /// <inheritdoc cref="AgentState.Aborting"/>
    Aborting,

    /// <inheritdoc cref="AgentState.Done"/>
    Done,

    /// <summary>Its node is dead.</summary>
    Dead,
}

/// <summary>
/// One event in one state of the protocol, as the whole cluster shows it: a transaction's state where the event
/// happens, its manager's decision there, and its agent's state elsewhere. What a run is judged by is not part of it:
/// guidance knows no rule.
/// </summary>
internal readonly record struct ProtocolState(StateEvent Event)
{
    /// <summary>Which message or record; 0 for what happens to silos.</summary>
    public int Kind { get; init; }

    /// <summary>What it says of an outcome.</summary>
    public MessageFlags Says { get; init; }

    /// <summary>The kind of message that came before it, + 1.</summary>
    public int After { get; init; }

    /// <summary>The transaction at the partition; <see langword="null"/> when it is not known there.</summary>
    public BranchState? Branch { get; init; }

    /// <summary>The decision of the partition as its manager; <see langword="null"/> when there is none.</summary>
    public DecisionState? Decision { get; init; }

    public AgentStanding Agent { get; init; }

    /// <summary>The manager's epoch that a message names, at the manager's partition.</summary>
    public EpochRelation ManagerEpoch { get; init; }

    /// <summary>Whether the partition has been given to another node.</summary>
    public bool IsDeposed { get; init; }

    /// <summary>The state as a number: two that differ have different ones.</summary>
    public ulong Code =>
        (ulong)Event | ((ulong)Kind << 3) | ((ulong)Says << 9) | ((ulong)After << 17)
        | ((Branch is { } branch ? 1 + (ulong)branch : 0) << 24) | ((Decision is { } decision
            ? 1 + (ulong)decision
            : 0) << 28)
        | ((ulong)Agent << 32) | ((ulong)ManagerEpoch << 36) | ((IsDeposed ? 1UL : 0) << 38);
}
