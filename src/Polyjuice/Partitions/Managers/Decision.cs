using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>Where a manager's decision stands.</summary>
internal enum DecisionState : byte
{
    /// <summary>Votes are coming in; it may still abort.</summary>
    Collecting,

    /// <summary>
    /// Everything is ready, and the final step is being taken: as little to be interrupted as the record's append.
    /// </summary>
    TakingFinalStep,

    /// <summary>The commit record's append is in flight: neither answer is true yet (V3).</summary>
    Recording,

    /// <summary>The record is durable, and committed if the dependencies that it names are (V5).</summary>
    Recorded,

    /// <summary>
    /// A dependency of what is recorded aborted, or what is staged
    /// is to: that is being logged before anyone is told (V4).
    /// </summary>
    ResolvingAbort,

    /// <summary>Committed.</summary>
    Committed,

    /// <summary>Aborted.</summary>
    Aborted,
}

/// <summary>A transaction as its manager sees it.</summary>
internal sealed class Decision(TransactionId id, ParticipantUse[] parts, long createdAt) : IHasDuePlace
{
    private DuePlace _due;

    public readonly TransactionId Id = id;
    public readonly ParticipantUse[] Parts = parts;

    /// <summary>One of each participant; none where there is only one, which is its own manager (V7).</summary>
    public List<VoteMessage>? Votes;

    // Each transaction has a decision, and pays for its size.
    private byte _refusal;
    public DecisionState State;
    public long Timestamp;
    public int Round;

    /// <summary>Dependencies that are not known to be committed.</summary>
    public List<CommitDependency>? Unresolved;
    public bool HadDependencies;

    /// <summary>A dependency aborted while the record was in flight.</summary>
    public bool DependencyAborted;

    /// <summary>The resolution is in the log; of what was staged, which needs none, the commit record.</summary>
    public bool ResolutionDurable;

    /// <summary>
    /// Who must have the outcome before it is forgotten. There are none
    /// where there is one participant, which pays for no more than it needs.
    /// </summary>
    public Acknowledgers? MustAcknowledge;
    public bool ForgetQueued;

    /// <summary>
    /// All votes are in, and it goes no further before the dependencies are decided: what a final step does can't be
    /// undone, and what is committed by its prepares needs no record until then.
    /// </summary>
    public bool AwaitsDependencies;

    /// <summary>It is committed as soon as all prepares are durable, before its record is.</summary>
    public bool IsStaged;

    /// <summary>
    /// An earlier epoch may have told its agent that it is committed: it is asked of all participants.
    /// </summary>
    public bool IsRecovered;

    /// <summary>Why the final step has failed.</summary>
    public AbortReason Refusal
    {
        get => (AbortReason)_refusal;
        set => _refusal = checked((byte)value);
    }

    /// <summary>
    /// While it collects votes when it was made, later when something was last said of it; on the host's clock.
    /// </summary>
    public long Touched = createdAt;

    /// <inheritdoc/>
    public ref DuePlace Due => ref _due;

    /// <summary>Whose it is, once that keeps it.</summary>
    public PartitionOwner? Owner;

    public bool HasUnresolved => Unresolved is { Count: > 0 };

    public bool AwaitsAcknowledgement => MustAcknowledge is { Count: > 0 };
}
