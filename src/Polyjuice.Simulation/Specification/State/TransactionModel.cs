using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.State;

/// <summary>An attempt, as all that was said and logged of it tells.</summary>
internal sealed class TransactionModel(TransactionId id)
{
    /// <summary>Which.</summary>
    public TransactionId Id { get; } = id;

    /// <summary>What its agent has asked participants.</summary>
    public List<PrepareModel> Prepares { get; } = [];

    /// <summary>The partition that decides; below 0 while no prepare named one.</summary>
    public int Manager { get; set; } = -1;

    /// <summary>The epoch that alone may decide (V2).</summary>
    public long ManagerEpoch { get; set; }

    /// <summary>The partitions that take part, as the latest prepare named them.</summary>
    public ParticipantUse[] Parts { get; set; } = [];

    /// <summary>The latest vote of each partition in each round.</summary>
    public List<VoteModel> Votes { get; } = [];

    /// <summary>Whether a participant has refused to order it, for good, and has no prepare of it.</summary>
    public bool IsRefused { get; set; }

    /// <summary>Its manager's commit record, once that is durable.</summary>
    public RecoveredCommit? Commit { get; set; }

    /// <summary>The log that has it.</summary>
    public int CommitLog { get; set; } = -1;

    /// <summary>The prepare with which its manager staged it, once that is durable.</summary>
    public RecoveredPrepare? Staged { get; set; }

    /// <summary>The log that has it.</summary>
    public int StagedLog { get; set; } = -1;

    /// <summary>What became of it, once somebody has rightly said so. "Unknown" says nothing.</summary>
    public bool? Outcome { get; set; }

    /// <summary>Whether a manager has told its agent that it committed.</summary>
    public bool IsCommitAnswered { get; set; }

    /// <summary>Whether a manager has told its agent that it aborted, or that it does not know it.</summary>
    public bool IsAbortAnswered { get; set; }

    /// <summary>Whether a manager has said that it aborted, because it was so decided.</summary>
    public bool IsAbortSaid { get; set; }

    /// <summary>Whether a manager has said that it does not know it.</summary>
    public bool IsUnknownSaid { get; set; }

    /// <summary>Whether its caller has been told how it ended.</summary>
    public bool IsTold { get; set; }

    /// <summary>Whether any access of it was served.</summary>
    public bool HasAccessed { get; set; }

    /// <summary>Its accesses that were served and not refuted since, by number (resumption).</summary>
    public HashSet<(int Number, ParticipantKey Key)> Served { get; } = [];

    /// <summary>Whether it ends with a final step.</summary>
    public bool HasFinalStep { get; set; }

    /// <summary>That step, once it is taken.</summary>
    public FinalStepModel? FinalStep { get; set; }

    /// <summary>What it reserves, if it does.</summary>
    public ReservingModel? Reserving { get; set; }

    /// <summary>While it is being asked whether it commits.</summary>
    public bool IsBeingResolved { get; set; }

    /// <summary>What was found out when that was asked last.</summary>
    public QuestionAnswer HasCommittedIn { get; set; }

    /// <summary>The same of whether that is decided.</summary>
    public QuestionAnswer IsDecidedIn { get; set; }

    /// <summary>The timestamp at which it commits, if a record says so.</summary>
    public long? CommitTimestamp => Commit?.Timestamp ?? Staged?.Timestamp;

    /// <summary>What an owner was asked in a round.</summary>
    public PrepareModel? PrepareOf(int partition, int round, long epoch)
    {
        for (var i = Prepares.Count - 1; i >= 0; i--)
        {
            if (Prepares[i].Partition == partition && Prepares[i].Round == round && Prepares[i].Epoch == epoch)
                return Prepares[i];
        }

        return null;
    }

    /// <summary>A participant's vote in a round.</summary>
    public VoteModel? VoteOf(int partition, int round)
    {
        foreach (var vote in Votes)
        {
            if (vote.Partition == partition && vote.Round == round) return vote;
        }

        return null;
    }

    /// <summary>For people.</summary>
    public override string ToString() =>
        $"{Id}: manager {Manager} epoch {ManagerEpoch}, parts {string.Join(" ", Parts.Select(p => p.Partition))}, "
        + $"votes {string.Join(" ", Votes.Select(v => $"p{v.Partition}r{v.Round}"))}, commit record "
        + $"{(Commit is null ? "none" : $"in log {CommitLog}")}, staged "
        + $"{(Staged is null ? "no" : $"in log {StagedLog}")}, outcome "
        + $"{(Outcome is { } outcome ? outcome ? "committed" : "aborted" : "open")}";
}
