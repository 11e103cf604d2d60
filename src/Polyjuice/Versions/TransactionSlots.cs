using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Versions;

// What the floors above keep with a transaction. Each has its own half of it, which it finds here by one reference and
// without looking it up; what is in there is no business of this floor, but for what is asked below.

/// <summary>The agent's side of an attempt, at its agent's node.</summary>
internal abstract class AgentSide : TurnAwaitable
{
    /// <summary>Whom a probe for a cycle must also ask: participants that have not ordered it.</summary>
    public abstract IEnumerable<ParticipantUse> PartsNotOrdered();

    /// <summary>Where it stands, for people.</summary>
    public abstract string Describe();
}

/// <summary>A transaction's place in the wait graph.</summary>
internal abstract class WaitPlace;

/// <summary>An edge of the wait graph.</summary>
internal abstract class WaitEdge;

/// <summary>A state's queue of reservations.</summary>
internal abstract class ReservedState;

/// <summary>What a transaction has reserved.</summary>
internal abstract class ReservedStates
{
    /// <summary>Whether it holds something of a queue, handed on or not.</summary>
    public abstract bool HoldsAny(ReservedState queue);

    /// <summary>Whether the transaction is no attempt, but a dry run.</summary>
    public abstract bool IsDryRun { get; }
}

/// <summary>A call of a transaction that runs here.</summary>
internal abstract class RunningCall
{
    /// <summary>Sites below this position are finished, as far as this branch of the call tree goes.</summary>
    internal int Position { get; private protected set; }

    /// <summary>Whether it has called nobody whose answer is still to come.</summary>
    internal abstract bool IsLeaf { get; }
}

/// <summary>A call of a transaction to another node.</summary>
internal abstract class DistantCall
{
    /// <summary>Where the callee runs, once it was told to be another node.</summary>
    internal NodeId Destination { get; set; }

    /// <summary>How far the callee's subtree is known to have got.</summary>
    internal int Position { get; set; }
}
