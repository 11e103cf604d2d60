using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Versions;

/// <summary>Where a transaction stands at one partition.</summary>
internal enum BranchState : byte
{
    /// <summary>Executing.</summary>
    Running,

    /// <summary>In the version chains; its prepare record, if it needs one, is not durable yet.</summary>
    Ordered,

    /// <summary>Its prepare record is durable.</summary>
    Logged,

    /// <summary>Committed.</summary>
    Committed,

    /// <summary>Aborted, or remembered as never to be committed (V4).</summary>
    Aborted,
}

/// <summary>Where a branch's prepare record is.</summary>
internal enum PrepareRecord : byte
{
    /// <summary>There is none.</summary>
    None,

    /// <summary>It goes out together with the commit record, or before that of anything that is built on it.</summary>
    HeldBack,

    /// <summary>One, of whatever round, is in the log or on its way there.</summary>
    Written,
}

/// <summary>One transaction at one partition: its accesses there, and its part in the commit protocol.</summary>
internal sealed class Branch(VersionedPartition partition, LocalTransaction transaction)
{
    private const int Staged = 0x80;

    public readonly VersionedPartition Partition = partition;
    public readonly LocalTransaction Transaction = transaction;
    public AccessEntries Entries;

    /// <summary>How versions and access lists name it.</summary>
    public BranchRef Ref;

    public Branch? NextInTransaction;
    public BranchState State;

    /// <summary>Accesses served; the prepare must name the same number.</summary>
    public int Accesses;

    /// <summary>Writes made so far; numbers versions (R1a).</summary>
    public int Writes;

    // There are eight rounds at the most; and whatever a branch has more than this, each transaction pays for.
    private byte _round;
    private byte _refusedRound;
    private byte _record;
    public long Timestamp;
    public int Manager = -1;
    public long ManagerEpoch;
    public ParticipantUse[] Parts = [];

    /// <summary>
    /// Undecided transactions here that this one read from or built upon, at the time it was ordered.
    /// </summary>
    public List<Branch>? DependsOn;

    /// <summary>The reverse: an outcome is kept until they have theirs (V6).</summary>
    public int Dependents;

    /// <summary>Whether it writes a prepare record.</summary>
    public bool WillLog;
    public bool HasVoted;

    public int Round
    {
        get => _round;
        set => _round = checked((byte)value);
    }

    public int RefusedRound
    {
        get => _refusedRound;
        set => _refusedRound = checked((byte)value);
    }

    /// <summary>Where its prepare record is.</summary>
    public PrepareRecord Record
    {
        get => (PrepareRecord)(_record & ~Staged);
        set => _record = (byte)((_record & Staged) | (int)value);
    }

    /// <summary>
    /// The number of the batch that its latest prepare was put into; -1 when that was in an earlier epoch.
    /// </summary>
    public int PreparedIn;

    /// <summary>Its prepare says, as its manager's, that it is committed as soon as all of them are durable.</summary>
    public bool IsStaged
    {
        get => (_record & Staged) != 0;
        set => _record = (byte)(value ? _record | Staged : _record & ~Staged);
    }

    public bool IsHeldBack => Record == PrepareRecord.HeldBack;

    /// <summary>
    /// Forget the writes: only the reads are to be ordered, for an exception that must be shown to be true.
    /// </summary>
    public bool ReadsOnly;

    /// <summary>The outcome record is in the batch being filled or appended; then durable.</summary>
    public bool OutcomeQueued;
    public bool OutcomeLogged;

    /// <summary>When it was last spoken for, on the host's clock.</summary>
    public long Touched;

    /// <summary>Nothing more will be asked of it, once its agent's oldest live transaction is younger.</summary>
    public bool IsFinished;

    private BranchWaits? _waits;

    /// <inheritdoc cref="BranchWaits.FinalStep"/>
    public Func<TransactionId, Task<bool>>? FinalStep
    {
        get => _waits?.FinalStep;
        set => (_waits ??= new()).FinalStep = value;
    }

    /// <inheritdoc cref="BranchWaits.LostDependencies"/>
    public List<CommitDependency>? LostDependencies
    {
        get => _waits?.LostDependencies;
        set => (_waits ??= new()).LostDependencies = value;
    }

    /// <inheritdoc cref="BranchWaits.RecoveredDependencies"/>
    public List<TransactionId>? RecoveredDependencies
    {
        get => _waits?.RecoveredDependencies;
        set
        {
            if (_waits is not null || value is not null) (_waits ??= new()).RecoveredDependencies = value;
        }
    }

    /// <inheritdoc cref="BranchWaits.ParkedPrepare"/>
    public ParkedPrepare? ParkedPrepare
    {
        get => _waits?.ParkedPrepare;
        set => (_waits ??= new()).ParkedPrepare = value;
    }

    /// <inheritdoc cref="BranchWaits.Parked"/>
    public List<Branch>? Parked
    {
        get => _waits?.Parked;
        set => (_waits ??= new()).Parked = value;
    }

    /// <inheritdoc cref="BranchWaits.Askers"/>
    public List<DependencyQueryMessage>? Askers
    {
        get => _waits?.Askers;
        set => (_waits ??= new()).Askers = value;
    }

    public TransactionId Id => Transaction.Id;

    public NodeId Agent => Transaction.Id.Node;

    public bool HasWrites
    {
        get
        {
            foreach (var entry in Entries)
            {
                if (entry.Write is not null) return true;
            }

            return false;
        }
    }

    /// <summary>Whether it read or built upon a version that is not committed.</summary>
    public bool HasUndecidedReads
    {
        get
        {
            foreach (var entry in Entries)
            {
                if (!entry.Read.IsCommitted) return true;
            }

            return false;
        }
    }

    /// <summary>
    /// Whether it read something without writing it that others overwrite,
    /// or are about to: a late timestamp would come after them.
    /// </summary>
    public bool IsBeingOvertaken
    {
        get
        {
            foreach (var entry in Entries)
            {
                if (entry.IsBeingOvertaken) return true;
            }

            return false;
        }
    }

    /// <summary>An exposed version that it read or built upon and that has no place in the order yet.</summary>
    public StateVersion? UnorderedRead
    {
        get
        {
            foreach (var entry in Entries)
            {
                if (entry.Read.Status == VersionStatus.Exposed) return entry.Read;
            }

            return null;
        }
    }

    public bool IsParked => ParkedPrepare is not null;

    public bool IsUndecided => State is BranchState.Running or BranchState.Ordered or BranchState.Logged;

    public AccessEntry? EntryOf(Participant participant)
    {
        foreach (var entry in Entries)
        {
            if (entry.Participant == participant) return entry;
        }

        return null;
    }
}
