using Polyjuice.Agents.Spans;
using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Waits;

namespace Polyjuice.Agents;

/// <summary>Answers the wait graph.</summary>
internal sealed class WaitCalls(EngineParts engine) : IWaitEvents
{
    public LocalTransaction? Find(TransactionId id) => engine.Transactions.Find(id);

    public void SubscribeTo(LocalTransaction target, int level, bool again = false) =>
        engine.Progress.SubscribeTo(target, level, again);

    public void Lost(Wait wait, LocalTransaction loser, AbortReason reason)
    {
        engine.Lifecycle.Doom(loser, reason, null, siteId: wait.SiteId, other: wait.Target);

        // One whose user's code has thrown is doomed already, and waits all the same: for a version to be ordered, to
        // prove what the code had read.
        Lifecycle.RefuseParked(loser);
    }

    public void AskToGiveWay(long now) => engine.Queues.AskToGiveWay(now);

    public IEnumerable<NodeId> NodesOfChain(LocalTransaction transaction) =>
        transaction.Agent is { } agent ? engine.Reservations.Chains.NodesOfChain(agent) : [];

    public Task<WaitOutcome> EndOf(Wait wait) => SpanSource.IsOn ? engine.Spans.Await(wait) : wait.Completion;

    public void Waited(Wait wait, bool isSatisfied)
    {
        if (!engine.Metrics.TimesWaits) return;
        engine.Metrics.Waited(
            engine.Now - wait.StartedAt, wait.Waiter.Type, engine.Tables.SiteName(wait.SiteId), wait.Target.Type,
            isSatisfied);
    }
}
