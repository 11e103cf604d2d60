using Polyjuice.Commit;
using Polyjuice.Policies;
using Polyjuice.Reconnaissance;

namespace Polyjuice.Execution;

/// <summary>
/// What one node knows of one attempt: at its agent's node everything, at a node that it visits its accesses there, elsewhere
/// only how far it has got.
/// </summary>
internal sealed partial class LocalTransaction(TransactionId id, string type, int typeId, PolicyTable policy)
{
    public readonly TransactionId Id = id;
    public readonly string Type = type;
    public readonly int TypeId = typeId;

    /// <summary>The table that the attempt started with, here; a swap does not touch it.</summary>
    public PolicyTable Policy = policy;

    /// <summary>When the first attempt at the same call started: age decides who yields in a cycle, so that nobody starves.</summary>
    public long FirstAttempt;

    /// <summary>Start of this attempt: no commit timestamp is below it (I2, strictness). The snapshot of a declared read-only one.</summary>
    public long Start;

    /// <summary>Largest timestamp that its commit timestamp must be above.</summary>
    public long Observed;

    /// <summary>When its time is up, on the host's clock, in microseconds.</summary>
    public long Deadline;

    public bool IsReadOnly;

    /// <summary>Whether what it writes stays private until it is ordered, whatever its rows say: so its agent let it in (<see cref="AdmissionArm"/>), and calls carry it on.</summary>
    public bool KeepsWrites;

    /// <summary>Whether it was the first here, or where it has called, to access a state since a grain was activated: it may have had to wait for that.</summary>
    public bool HasLoaded;

    /// <summary>
    /// Whether anything ever ran in parallel in it; such a prefix is never served again, and it may wait in several places at once. Set by
    /// <see cref="ParallelTransactions.NoteParallel"/>, which tells the others.
    /// </summary>
    public bool IsParallel;

    /// <summary>Why it can't commit any more, once something has said so; the first reason stays.</summary>
    public AbortInfo? Doom;

    /// <summary>Every participant has ordered it (or more).</summary>
    public bool IsSealed;

    /// <summary>Nothing about it will change any more, as far as waits are concerned.</summary>
    public bool IsEnded;

    /// <summary>Sites finished so far: all below this position.</summary>
    public int Progress;

    /// <summary>Accesses of it here that are between the access and the end of its early validation.</summary>
    public ushort Validating;

    /// <summary>Its branches at the partitions that this node owns, linked by <see cref="Branch.NextInTransaction"/>.</summary>
    public Branch? Branches;

    /// <summary>Unsealed transactions that must come before it, for the policy's waits; never grows past what conflicts found.</summary>
    public List<LocalTransaction>? Predecessors;

    /// <summary>Its place in the wait graph, once it has one.</summary>
    public WaitNode? Edges;

    /// <summary>Frames that run here now.</summary>
    public List<CallFrame>? Frames;

    /// <summary>The agent's side, at its agent's node only.</summary>
    public AgentTransaction? Agent;

    /// <summary>Number of the latest access of the transaction, as known here; meaningful while nothing ran in parallel.</summary>
    public int AccessNumber;

    /// <summary>How often the body was resumed; a call or doom of an earlier generation is stale.</summary>
    public int Generation;

    /// <summary>Set when this is no attempt, but a dry run.</summary>
    public DryRun? DryRun => Reservations?.DryRun;

    /// <summary>What it has reserved here, and plans to.</summary>
    public TransactionReservations? Reservations;

    public bool IsDoomed => Doom is not null;

    /// <summary>Whether it may expose what it has written while it runs, for others to build on.</summary>
    public bool HandsOn => Policy.HandsOn && !KeepsWrites;

    /// <summary>Whether its table leaves it to the silo how it is let in, which learns from it then.</summary>
    public bool IsAdmissionChosenHere => Policy.HasAdmissions && Policy.AdmissionOf(TypeId) == PolicyAdmission.Auto;

    /// <summary>Its own waits here.</summary>
    public List<Wait>? Waits => Edges?.Waits;

    public bool IsYoungerThan(LocalTransaction other) => IsYounger(FirstAttempt, Id, other.FirstAttempt, other.Id);

    public static bool IsYounger(long firstAttempt, TransactionId id, long otherFirstAttempt, TransactionId otherId) =>
        firstAttempt != otherFirstAttempt ? firstAttempt > otherFirstAttempt : id.CompareTo(otherId) > 0;

    public Branch? BranchAt(PartitionOwner owner)
    {
        // It may be in very many rows, and each has few transactions.
        if (owner.IsRow) return owner.BranchOf(this);
        for (var branch = Branches; branch is not null; branch = branch.NextInTransaction)
        {
            if (branch.Owner == owner) return branch;
        }

        return null;
    }

    public void AddPredecessor(LocalTransaction other)
    {
        if (other == this || other.IsSealed || other.IsEnded) return;
        if (Predecessors is null) Predecessors = [other];
        else if (!Predecessors.Contains(other)) Predecessors.Add(other);
    }

    /// <summary>
    /// Merges what a report or a token says of a partition of another node. False when epochs, or who served them,
    /// contradict (R1b).
    /// </summary>
    public bool MergeUse(in ParticipantUse use)
    {
        Remote ??= [];
        for (var i = 0; i < Remote.Count; i++)
        {
            var known = Remote[i];
            if (known.Partition != use.Partition) continue;
            if (known.Epoch != use.Epoch || known.Node != use.Node) return false;
            Remote[i] = known with { Accesses = Math.Max(known.Accesses, use.Accesses), Writes = known.Writes || use.Writes, Depends = known.Depends || use.Depends, AwaitsOrder = known.AwaitsOrder || use.AwaitsOrder, Decides = known.Decides || use.Decides, IsOvertaken = known.IsOvertaken || use.IsOvertaken };
            return true;
        }

        Remote.Add(use);
        return true;
    }

    /// <summary>Where it stands, for whoever has to find out why others wait for it.</summary>
    public string Describe()
    {
        var text = $"{this} (age {FirstAttempt}, {(Agent is { } agent ? $"agent here, {agent.State}, round {agent.Round}" : "agent elsewhere")}{(IsDoomed ? $", doomed by {Doom!.Reason}" : "")}{(IsSealed ? ", sealed" : "")}{(IsEnded ? ", ended" : "")}, progress {Progress}, waits [";
        text += string.Join(", ", (Waits ?? []).Select(wait => wait.Target.Id)) + $"], remote calls [{string.Join(", ", (RemoteCalls ?? []).Select(call => call.Destination))}]";
        for (var branch = Branches; branch is not null; branch = branch.NextInTransaction) text += $", partition {branch.Owner.Partition} {branch.State}{(branch.IsParked ? " parked" : "")}";
        return text + ")";
    }

    public override string ToString() => $"{Type} {Id}";
}
