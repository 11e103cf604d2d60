using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Wire;

namespace Polyjuice.Versions;

/// <summary>
/// What one node knows of one attempt: at its agent's node everything, at a node that it visits its accesses there,
/// elsewhere only how far it has got.
/// </summary>
internal sealed class LocalTransaction(TransactionId id, string type, int typeId, PolicyTable policy) : IHasDuePlace
{
    public readonly TransactionId Id = id;
    public readonly string Type = type;
    public readonly int TypeId = typeId;

    /// <summary>The table that the attempt started with, here; a swap does not touch it.</summary>
    public PolicyTable Policy = policy;

    // What many transactions have nothing of is kept in objects of its own: the engine makes a transaction for every
    // call.
    private Elsewhere? _elsewhere;
    private Resumption? _resumption;
    private DuePlace _due;

    /// <summary>
    /// When the first attempt at the same call started: age decides who yields in a cycle, so that nobody starves.
    /// </summary>
    public long FirstAttempt;

    /// <summary>
    /// Start of this attempt: no commit timestamp is below it (I2, strictness). The snapshot of a declared read-only
    /// one.
    /// </summary>
    public long Start;

    /// <summary>Largest timestamp that its commit timestamp must be above.</summary>
    public long Observed;

    /// <summary>When its time is up, on the host's clock, in microseconds.</summary>
    public long Deadline;

    public bool IsReadOnly;

    /// <summary>
    /// Whether what it writes stays private until it is ordered, whatever its rows say: so its agent let it in (as
    /// its arm of the admission trial says), and calls carry it on.
    /// </summary>
    public bool KeepsWrites;

    /// <summary>
    /// Whether it was the first here, or where it has called, to access a state since a grain was activated: it may
    /// have had to wait for that.
    /// </summary>
    public bool HasLoaded;

    /// <summary>
    /// Whether anything ever ran in parallel in it; such a prefix is never served again, and it may wait in several
    /// places at once. Set by <see cref="Agents.ParallelTransactions.NoteParallel"/>, which tells the others.
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

    /// <summary>
    /// Its branches at the partitions that this node owns, linked by <see cref="Branch.NextInTransaction"/>.
    /// </summary>
    public Branch? Branches;

    /// <summary>
    /// Unsealed transactions that must come before it, for the policy's waits; never grows past what conflicts found.
    /// </summary>
    public List<LocalTransaction>? Predecessors;

    /// <summary>Its place in the wait graph, once it has one.</summary>
    public WaitPlace? WaitPlace;

    /// <summary>Calls of it that run here now.</summary>
    public List<RunningCall>? Frames;

    /// <summary>The agent's side, at its agent's node only.</summary>
    public AgentSide? AgentSide;

    /// <summary>
    /// Number of the latest access of the transaction, as known here; meaningful while nothing ran in parallel.
    /// </summary>
    public int AccessNumber;

    /// <summary>How often the body was resumed; a call or doom of an earlier generation is stale.</summary>
    public int Generation;

    /// <summary>What it has reserved here, and plans to.</summary>
    public ReservedStates? ReservedStates;

    /// <summary>Whether its agent is this node.</summary>
    public bool IsAgentHere => AgentSide is not null;

    /// <summary>Whether this is no attempt, but a dry run.</summary>
    public bool IsDryRun => ReservedStates is { IsDryRun: true };

    /// <summary>
    /// Whether a partition of this node has not ordered it yet. It may have refused a round, and be asked for another
    /// one: which calls have come must be known until then (R1c).
    /// </summary>
    public bool RunsHere
    {
        get
        {
            for (var branch = Branches; branch is not null; branch = branch.NextInTransaction)
            {
                if (branch.State == BranchState.Running && branch.Partition.IsActive) return true;
            }

            return false;
        }
    }

    /// <summary>Branches that are not finished, of this object's own.</summary>
    public int UnfinishedBranches;

    /// <summary>Whether the engine finds it by its name.</summary>
    public bool IsKnown;

    /// <summary>Whether it is going to be looked at when its agent is done with it.</summary>
    public bool AwaitsAgent;

    /// <inheritdoc/>
    public ref DuePlace Due => ref _due;

    /// <summary>Whether nothing about it can ever have to be done.</summary>
    public bool IsAtRest => !IsKnown && UnfinishedBranches == 0;

    /// <summary>
    /// Partitions of other nodes that it has accessed, as reports say; this node's own are in <see cref="Branches"/>.
    /// </summary>
    public List<ParticipantUse>? Remote
    {
        get => _elsewhere?.Remote;
        set => (_elsewhere ??= new()).Remote = value;
    }

    /// <summary>Nodes that asked to be told of its progress (agent's node only).</summary>
    public List<(NodeId Node, int Position)>? Subscribers
    {
        get => _elsewhere?.Subscribers;
        set => (_elsewhere ??= new()).Subscribers = value;
    }

    /// <summary>Whether this node has asked the agent's.</summary>
    public int SubscribedTo
    {
        get => _elsewhere?.SubscribedTo ?? 0;
        set => (_elsewhere ??= new()).SubscribedTo = value;
    }

    /// <summary>
    /// Calls to other nodes that have not been answered: where probes go on, and whom an abort must reach.
    /// </summary>
    public List<DistantCall>? RemoteCalls
    {
        get => _elsewhere?.RemoteCalls;
        set => (_elsewhere ??= new()).RemoteCalls = value;
    }

    /// <summary>
    /// Calls of it that were made here, of which the host is to hear when they are not worth waiting for any longer.
    /// </summary>
    public List<DistantCall>? Queued
    {
        get => _elsewhere?.Queued;
        set => (_elsewhere ??= new()).Queued = value;
    }

    /// <summary>Other nodes that it has called, directly or not.</summary>
    public List<NodeId>? Visited
    {
        get => _elsewhere?.Visited;
        set => (_elsewhere ??= new()).Visited = value;
    }

    /// <summary>Calls from other nodes that have been entered here (R1c).</summary>
    public HashSet<(NodeId Caller, long Call)>? EnteredCalls
    {
        get => _elsewhere?.EnteredCalls;
        set => (_elsewhere ??= new()).EnteredCalls = value;
    }

    /// <summary>The record of accesses in order, kept while a resume could use it.</summary>
    public List<AccessRecord>? Record
    {
        get => _resumption?.Record;
        set
        {
            if (_resumption is not null || value is not null) (_resumption ??= new()).Record = value;
        }
    }

    /// <summary>All accesses up to this number have passed an early validation here.</summary>
    public int ValidatedUpTo
    {
        get => _resumption?.ValidatedUpTo ?? 0;
        set => (_resumption ??= new()).ValidatedUpTo = value;
    }

    /// <summary>While the body runs again: accesses up to this number are served from the record.</summary>
    public int ReplayUpTo
    {
        get => _resumption?.ReplayUpTo ?? 0;
        set
        {
            if (_resumption is not null || value != 0) (_resumption ??= new()).ReplayUpTo = value;
        }
    }

    /// <summary>
    /// Set with <see cref="Doom"/>: the attempt can go on from this access number instead of starting over; −1 if not.
    /// </summary>
    public int ResumeAt
    {
        get => _resumption?.ResumeAt ?? -1;
        set
        {
            if (_resumption is not null || value != -1) (_resumption ??= new()).ResumeAt = value;
        }
    }

    public bool IsDoomed => Doom is not null;

    /// <summary>Whether it may expose what it has written while it runs, for others to build on.</summary>
    public bool HandsOn => Policy.HandsOn && !KeepsWrites;

    /// <summary>Whether its table leaves it to the silo how it is let in, which learns from it then.</summary>
    public bool IsAdmissionChosenHere => Policy.HasAdmissions && Policy.AdmissionOf(TypeId) == PolicyAdmission.Auto;

    public bool IsYoungerThan(LocalTransaction other) => IsYounger(FirstAttempt, Id, other.FirstAttempt, other.Id);

    public static bool IsYounger(long firstAttempt, TransactionId id, long otherFirstAttempt, TransactionId otherId) =>
        firstAttempt != otherFirstAttempt ? firstAttempt > otherFirstAttempt : id.CompareTo(otherId) > 0;

    public Branch? BranchAt(VersionedPartition partition)
    {
        // It may be in very many rows, and each has few transactions.
        if (partition.IsRow) return partition.BranchOf(this);
        for (var branch = Branches; branch is not null; branch = branch.NextInTransaction)
        {
            if (branch.Partition == partition) return branch;
        }

        return null;
    }

    public void AddPredecessor(LocalTransaction other)
    {
        if (other == this || other.IsSealed || other.IsEnded) return;
        if (Predecessors is null) Predecessors = [other];
        else if (!Predecessors.Contains(other)) Predecessors.Add(other);
    }

    /// <summary>It calls another node, or has called it somewhere.</summary>
    public void Visit(NodeId node)
    {
        var visited = Visited ??= [];
        if (!visited.Contains(node)) visited.Add(node);
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
            Remote[i] = known with
            {
                Accesses = Math.Max(known.Accesses, use.Accesses),
                Writes = known.Writes || use.Writes,
                Depends = known.Depends || use.Depends,
                AwaitsOrder = known.AwaitsOrder || use.AwaitsOrder,
                Decides = known.Decides || use.Decides,
                IsOvertaken = known.IsOvertaken || use.IsOvertaken
            };
            return true;
        }

        Remote.Add(use);
        return true;
    }

    public override string ToString() => $"{Type} {Id}";

    // Of a transaction that involves other nodes.
    private sealed class Elsewhere
    {
        public List<ParticipantUse>? Remote;
        public List<(NodeId Node, int Position)>? Subscribers;
        public int SubscribedTo;
        public List<DistantCall>? RemoteCalls;
        public List<DistantCall>? Queued;
        public List<NodeId>? Visited;
        public HashSet<(NodeId Caller, long Call)>? EnteredCalls;
    }

    // Of a transaction that validates early, and may be resumed where that fails.
    private sealed class Resumption
    {
        public List<AccessRecord>? Record;
        public int ValidatedUpTo;
        public int ReplayUpTo;
        public int ResumeAt = -1;
    }
}
