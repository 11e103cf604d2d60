using Polyjuice.Contracts;

namespace Polyjuice.Partitions;

/// <summary>
/// What the end of a node, or of an owner's time, leaves undecided. Whoever waits for a word that can't come any more
/// asks whom that leaves, or decides, at once and not when his patience ends: until then, what is undecided guards what
/// it has accessed. On its engine's turn.
/// </summary>
/// <remarks>
/// All of it is for speed. A manager may abort whatever it still collects votes for (V3), with the append that this
/// takes (V4); and questions may always be asked.
/// </remarks>
internal sealed class Orphans(
    Ownership ownership, Branches branches, Decisions decisions, Votes votes, DependencyQueries queries,
    StagedCommits staged, Manager manager)
{
    /// <summary>
    /// At take-over, before others hear of it: managers get the votes that the log has, and are asked what became of
    /// them, as they may have decided.
    /// </summary>
    public void SayWhatWasPrepared()
    {
        foreach (var branch in branches.All)
        {
            if (!votes.AwaitsManager(branch)) continue;
            votes.Send(branch);
            votes.AskManager(branch);
        }
    }

    /// <summary>
    /// A partition has another owner since that epoch. Votes that its log has were sent before this word of it.
    /// </summary>
    public void OnOwner(int partition, long epoch)
    {
        if (!ownership.IsActive || partition == ownership.Partition) return;
        foreach (var decision in decisions.All.ToArray()) OnOwner(decision, partition, epoch);
        foreach (var branch in branches.All.ToArray())
        {
            if (votes.AwaitsManager(branch) && branch.Manager == partition && branch.ManagerEpoch < epoch)
                votes.AskManager(branch);
        }
    }

    /// <summary>A node will never act again, and neither will its agent.</summary>
    public void OnNodeDead(NodeId node)
    {
        if (!ownership.IsActive) return;
        foreach (var decision in decisions.All.ToArray())
        {
            // A prepare may never have been sent: then nobody would ever vote.
            if (decision.Id.Node == node
                && decision is { State: DecisionState.Collecting, IsRecovered: false, AwaitsDependencies: false })
            {
                manager.TryAbort(decision);
            }
        }

        foreach (var branch in branches.All.ToArray())
        {
            if (branch.Agent == node && votes.AwaitsManager(branch)) votes.AskManager(branch);
        }
    }

    private void OnOwner(Decision decision, int partition, long epoch)
    {
        if (decision.Unresolved?.Exists(dependency => dependency.Partition == partition) == true
            && (decision.State == DecisionState.Recorded || decision.AwaitsDependencies))
        {
            queries.Ask(decision);
            return;
        }

        if (decision.State != DecisionState.Collecting || decision.AwaitsDependencies
            || !IsOrphan(decision, partition, epoch))
        {
            return;
        }
        if (decision.IsRecovered) staged.AskForVotes(decision);
        else manager.TryAbort(decision);
    }

    /// <summary>
    /// Whether the vote of a participant is missing whose owner has gone, or is of an earlier round than others': its
    /// log has no prepare of this one, or the vote would be here.
    /// </summary>
    private bool IsOrphan(Decision decision, int partition, long epoch)
    {
        var round = branches.Find(decision.Id)?.Round ?? 0;
        var voted = -1;
        foreach (var vote in decision.Votes ?? [])
        {
            round = Math.Max(round, vote.Round);
            if (vote.FromPartition == partition) voted = vote.Round;
        }

        if (voted >= round) return false;
        foreach (ref readonly var part in decision.Parts.AsSpan())
        {
            if (part.Partition == partition) return part.Epoch < epoch;
        }

        return false;
    }
}
