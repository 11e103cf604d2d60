using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// V6: an outcome is kept until every log that needs it has it, the agent has told its caller or is dead, and
/// dependents are finally confirmed; of a death the log says so first. On its engine's turn.
/// </summary>
internal sealed class Forgetting(
    OwnerParts shared, Ownership ownership, Branches branches, RecoveredOutcomes recovered, Decisions decisions,
    OutcomeMessages messages, LogUpkeep upkeep, AppendPipeline appends)
{
    private long _recoveredForgotten;

    /// <summary>Forgets what agents can't ask about any more.</summary>
    public void Tick(long now)
    {
        ForgetFinished();
        if (recovered.Count > 0 && now - _recoveredForgotten >= shared.Options.ResendMicroseconds) ForgetRecovered(now);
    }

    /// <summary>A participant has the outcome in its log.</summary>
    public void OnAcknowledge(in Message acknowledgement)
    {
        if (decisions.Find(acknowledgement.Transaction) is not { State: DecisionState.Committed } decision) return;
        if (decision.MustAcknowledge is { } partitions)
        {
            var isHurried = partitions.Hurried > 0;
            partitions.Remove(acknowledgement.FromPartition);
            if (isHurried)
            {
                partitions.ToldAt = shared.Now;
                messages.HurryMore(decision, partitions);
            }
        }

        TryForget(decision);
    }

    /// <summary>
    /// Forgets a decision when every log that needs the outcome has it, and the agent has told its caller (or is dead).
    /// </summary>
    public void TryForget(Decision decision)
    {
        if (decision.State == DecisionState.Aborted)
        {
            if (shared.Agents.IsAgentDone(decision.Id)) decisions.Forget(decision);
            return;
        }

        if (decision.State != DecisionState.Committed || decision.ForgetQueued || decision.AwaitsAcknowledgement
            || !messages.IsFinal(decision))
        {
            return;
        }
        if (!shared.Agents.IsAgentDone(decision.Id) && shared.Breaks != ProtocolBreaks.AgentAck) return;
        decision.ForgetQueued = true;
        shared.Events?.ForgetsDecision(ownership, decision);
        if (decision.Parts.Length == 1)
        {
            // Nobody but the agent could ever ask, and a recovery would rebuild it from the one record that there is.
            decisions.Forget(decision);
            return;
        }

        upkeep.SayDeathOf(decision.Id.Node);
        LogRecords.WriteForget(appends.Records, decision.Id);
        appends.QueueLazily(new DurableAction(LogRecordKind.Forget, Decision: decision));
    }

    private void ForgetFinished()
    {
        var finished = branches.Finished;
        foreach (var agent in finished.Agents)
        {
            if (agent.IsForeign && !finished.HasAny(agent)) finished.Remove(agent);

            var oldestLive = shared.Agents.OldestLiveOf(agent);
            while (finished.TakeBefore(agent, oldestLive) is { } branch)
            {
                // The agent has told its caller, which may have been all that the decision was kept for.
                if (branches.TryForget(branch) && decisions.Find(branch.Id) is { } decision) TryForget(decision);
            }

            if (finished.HasAny(agent)) shared.Agents.AskForNews(agent);
        }
    }

    private void ForgetRecovered(long now)
    {
        _recoveredForgotten = now;
        HashSet<TransactionId>? asked = null;
        foreach (var branch in branches.All)
        {
            if (shared.Breaks == ProtocolBreaks.DepOutcomeKept) break;

            // A commit that is not final yet may be asked about again, by a manager that has to resolve it anew.
            if (!branch.IsFinished && branch.RecoveredDependencies is { } dependencies)
                (asked ??= []).UnionWith(dependencies);
        }

        recovered.Forget(
            shared.Agents.IsAgentDone, asked, shared.Events is { } events ? id => events.Forgot(ownership, id) : null);
        foreach (var node in recovered.Transactions.Select(id => id.Node).Distinct()) shared.Agents.AskForNews(node);
    }
}
