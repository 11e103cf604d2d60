using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// V1: a participant's votes. One names the round and the timestamp: only votes of one round count together. Who
/// writes, or depends on what is undecided, votes when its prepare is durable. On its engine's turn.
/// </summary>
internal sealed class Votes(OwnerParts shared, Ownership ownership, Dependencies dependencies)
{
    /// <summary>V7: one participant is its own manager, and votes to nobody.</summary>
    public bool IsOnePartition(Branch branch) =>
        branch.Parts.Length == 1 && branch.FinalStep is null && shared.Breaks != ProtocolBreaks.OnePartition;

    /// <summary>Votes, and asks the manager if it has been taken over meanwhile.</summary>
    public void Send(Branch branch)
    {
        branch.HasVoted = true;
        branch.Touched = shared.Now;
        if (branch.Manager == ownership.Partition && IsOnePartition(branch)) return;
        var vote = Of(branch);
        if (branch.Manager < 0) ownership.Send(branch.Agent, vote);
        else ownership.SendToPartition(branch.Manager, vote);

        // Who has taken the manager's partition over counts no vote for another epoch.
        if (AwaitsManager(branch) && shared.TakeOvers.EpochOf(branch.Manager) > branch.ManagerEpoch)
            AskManager(branch);
    }

    /// <summary>Its prepare record is in the log.</summary>
    public void Logged(Branch branch, int round)
    {
        if (branch.State != BranchState.Ordered || branch.Round != round) return;
        branch.State = BranchState.Logged;
        Send(branch);
    }

    /// <summary>What a participant says of a branch.</summary>
    public VoteMessage Of(Branch branch) => new()
    {
        Transaction = branch.Id,
        FromPartition = ownership.Partition,
        Partition = branch.Manager,
        Epoch = ownership.Epoch,
        Round = branch.Round,
        Timestamp = branch.Timestamp,
        ManagerEpoch = branch.ManagerEpoch,
        IsLogged = branch.WillLog,
        Parts = branch.Parts,
        Dependencies = dependencies.Of(branch),
    };

    /// <summary>Whether it waits for a manager elsewhere.</summary>
    public bool AwaitsManager(Branch branch) =>
        branch is { State: BranchState.Logged, Manager: >= 0 } && branch.Manager != ownership.Partition;

    /// <summary>Asks what became of it: V2, V4.</summary>
    public void AskManager(Branch branch) => ownership.SendToPartition(branch.Manager, new QueryMessage
    {
        Transaction = branch.Id,
        Partition = branch.Manager,
        FromPartition = ownership.Partition,
        ManagerEpoch = branch.ManagerEpoch,
    });
}
