using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Storage;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Protocol;

// States in rows: the rules of logs and owners once more, and what only rows have. Accounts 3, 4 and 5 are in rows,
// which nodes 5, 2 and 3 of 0 to 5 own at first; node 2 owns partition 0 too.
internal static partial class Scenarios
{
    /// <summary>A row's owner is replaced while it commits, and its store is late.</summary>
    public static void RowFence(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks, rows: true);
        var committing = Hold(s, 4, request => request.CommitUpTo is not null);
        var query = s.Wire.Watch(Scenario.Of(MessageKind.Query, s.FirstOwner(5).Id));
        var record = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T", 5, 4)));
        s.Until(() => committing.Count > 0, "the row commits");
        s.Run(5_000);
        s.TakeOver(4, s.FirstOwner(2));
        s.Until(() => query.Taken.Any(q => q.To == s.FirstOwner(2).Id), "the other row asks the successor");
        s.Believe(s.Agent, 4, s.FirstOwner(4));
        s.Rows.Release(committing[0]);
        s.Until(record);
        s.Judge();
    }

    /// <summary>A store is done, and reported as failed.</summary>
    public static void RowStoreMayBeThere(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks, rows: true);
        Fail(s, RowFate.FailAfter, request => request.Row == 4 && request.CommitUpTo is not null);
        var record = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T", 5, 4)));
        s.Until(record);
        s.Judge();
    }

    /// <summary>A store fails, a rival's fence takes its place, and the owner tries again.</summary>
    public static void RowBatchIdentity(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks, rows: true);
        var committing = Hold(s, 4, request => request.CommitUpTo is not null && request.Process == s.FirstOwner(4));
        var record = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T", 4)));
        s.Until(() => committing.Count > 0, "the row commits");
        s.TakeOver(4, s.FirstOwner(2));
        s.Rows.Release(committing[0], RowFate.FailBefore);
        s.Until(record);
        s.Judge();
    }

    /// <summary>
    /// A row commits one transaction and prepares the next in one store, which fails half-way; then its owner dies.
    /// </summary>
    public static void RowReusesNumbers(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks, rows: true);
        var outcome = s.Wire.Hold(Scenario.Of(MessageKind.Outcome, to: s.FirstOwner(4).Id));
        s.Commit(s.Agent, Scenario.Updates("T1", 4, 2));
        s.Until(() => outcome.Taken.Count > 0, "the row has yet to hear of T1's commit");

        // A store under way, so that what follows shares the next one.
        s.Run(300_000);
        var busy = Hold(s, 4, _ => true);
        s.Cluster.Submit(s.OtherAgent, new TransactionSpec("T2", Step.Read(4), IsReadOnly: true));
        s.Until(() => busy.Count > 0, "a ceiling is being stored");
        outcome.Release();
        s.Run(1_000);
        s.Cluster.Submit(s.OtherAgent, Scenario.Once(Scenario.Updates("T3", 4)));
        s.Run(2_000);
        Fail(
            s,
            RowFate.FailHalfWay,
            request => request.Row == 4 && request.CommitUpTo is not null,
            () => s.Cluster.Crash(s.FirstOwner(4)));
        s.Rows.Release(busy[0]);
        s.Until(() => !s.FirstOwner(4).IsAlive, "the owner dies");
        s.TakeOver(4, s.FirstOwner(2));
        s.Judge();
    }

    /// <summary>A row changes hands after the commit of what a commit record elsewhere depends on.</summary>
    public static void RowKeepsOutcomes(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks, PolicyActions.ReadDirty, rows: true);
        var votes = s.Wire.Hold(Scenario.Of(MessageKind.Vote, s.FirstOwner(4).Id, s.FirstOwner(2).Id));
        var dependency = s.Start(s.OtherAgent, Scenario.Updates("T1", 4, 2));
        s.Until(
            () => votes.Taken.Count > 0 && s.Rows.Content(4).PendingStates.Count > 0,
            "T1 is prepared in the row and undecided");
        var lost = s.Log.Hold(1, LogRecordKind.Resolved);
        var dependent = s.Start(s.Agent, new TransactionSpec("T2", Step.Sequence(Step.Read(4), Step.Update(1))));
        s.Until(
            () => s.Cluster.Logs.Batches(1)
                .Any(
                    b => LogTap.Read(b.Bytes)
                        .Any(
                            r => r.Kind == LogRecordKind.Commit && r.Transaction.Node == s.Agent.Id
                                && r.Transaction.Sequence > 6)),
            "T2's commit record is durable");
        votes.Release();
        s.Until(dependency, dependent);
        s.Until(
            () => lost.Taken.Count > 0 && s.Rows.Content(4).PendingStates.Count == 0,
            "the resolution is being appended, and the row has committed T1");
        s.TakeOver(4, s.Spare);
        s.Cluster.Crash(s.FirstOwner(1));
        lost.Lose();
        s.TakeOver(1, s.Spare);
        s.Judge();
    }

    /// <summary>A transaction reads at a row's owner that was deposed long ago.</summary>
    public static void RowReadBelowCeiling(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks, rows: true);
        s.TakeOver(4, s.FirstOwner(2));
        s.Commit(s.Agent, Scenario.Updates("T", 1, 4));
        s.Run(300_000);
        s.Believe(s.OtherAgent, 4, s.FirstOwner(4));
        var reader = s.Start(
            s.OtherAgent, Scenario.Once(new TransactionSpec("Reader", Step.Sequence(Step.Read(1), Step.Read(4)))));
        s.Until(reader);
        s.Judge();
    }

    /// <summary>A participant's grain is nowhere when the manager has decided: whoever needs it wakes it.</summary>
    public static void RowIsWoken(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks, rows: true, sleep: true);
        var owner = s.Cluster.OwnerOf(4)!;
        var outcome = s.Wire.Hold(Scenario.Of(MessageKind.Outcome, to: owner.Id));
        s.Commit(s.Agent, Scenario.Updates("T", 4, 0));
        s.Until(() => outcome.Taken.Count > 0, "the row has yet to hear of the commit");
        s.Require(s.Rows.Content(4).PendingStates.Count == 1, "it is prepared there");
        s.Cluster.Crash(owner);
        outcome.Off();
        s.Until(() => s.Rows.Content(4).PendingStates.Count == 0, "the manager's word wakes the row");
        s.Require(s.Cluster.OwnerOf(4) is { IsAlive: true }, "somebody serves it");
        s.Judge();
    }

    /// <summary>
    /// A manager in a row keeps its own prepare for the commit record's
    /// store; meanwhile another transaction is built on it, and stored first.
    /// </summary>
    public static void RowHoldsPrepareBack(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks, rows: true);
        var votes = s.Wire.Hold(Scenario.Of(MessageKind.Vote));
        var first = s.Start(s.Agent, Scenario.Updates("T1", 4, 5));
        s.Until(() => votes.Taken.Count > 0, "the other participant of T1 has voted");
        var manager = s.Rows.Content(4).PendingStates.Count == 0 ? 4 : 5;
        s.Require(
            s.Rows.Content(9 - manager).PendingStates.Count == 1 && s.Rows.Content(manager).PendingStates.Count == 0,
            "the manager has stored nothing");
        var before = s.Rows.Stores;
        var second = s.Start(s.OtherAgent, Scenario.Updates("T2", manager));
        s.Until(() => s.Rows.Stores > before, "T2 is stored");
        s.Run(2_000);
        votes.Release();
        s.Until(first, second);
        s.Cluster.Crash(s.FirstOwner(manager));
        s.TakeOver(manager, s.Spare);
        s.Judge();
    }

    /// <summary>The manager dies with all votes in, and neither its prepare nor the commit record stored.</summary>
    public static void RowManagerDiesBeforeItsOnlyStore(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks, rows: true);
        var stores = new List<RowRequest>();
        s.Rows.Hook = request =>
        {
            // The first store is the other participant's prepare.
            stores.Add(request);
            return stores.Count == 2 ? RowFate.Hold : RowFate.Work;
        };
        var record = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T", 4, 5)));
        s.Until(() => stores.Count == 2, "the manager's only store is under way");
        var manager = stores[1].Row;
        s.Require(stores[0].Row != manager, "the other participant has stored its prepare");
        s.Rows.Hook = null;
        s.Cluster.Crash(s.FirstOwner(manager));
        s.TakeOver(manager, s.Spare);
        s.Until(record);
        s.Require(record.Outcome != Outcome.Committed, "nobody was told that it committed");
        s.Until(() => s.Rows.Content(9 - manager).PendingStates.Count == 0, "the participant hears that it aborted");
        s.Judge();
    }

    /// <summary>
    /// A participant dies while the outcome that it knows waits for
    /// a store; then its manager, while what it may forget does.
    /// </summary>
    public static void RowDiesWhileOutcomesLinger(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks, configure: options => options.RowLingerMicroseconds = 100_000, rows: true);
        var confirm = s.Wire.Watch(
            Scenario.Of(
                MessageKind.Outcome,
                and: message => message.Has(MessageFlags.Final) && message.Has(MessageFlags.Committed)));
        var acknowledged = s.Wire.Watch(Scenario.Of(MessageKind.Acknowledge));
        s.Commit(s.Agent, Scenario.Updates("T", 4, 5));
        s.Until(() => confirm.Taken.Count > 0, "the participant is told");
        s.Run(5_000);
        var participant = s.Rows.Content(4).PendingStates.Count > 0 ? 4 : 5;
        s.Require(
            s.Rows.Content(participant).PendingStates.Count == 1 && acknowledged.Taken.Count == 0,
            "it knows, and has stored nothing yet");
        s.Cluster.Crash(s.FirstOwner(participant));
        s.TakeOver(participant, s.Spare);
        s.Until(
            () => acknowledged.Taken.Count > 0 && s.Rows.Content(participant).PendingStates.Count == 0,
            "its successor has asked, and stored it");
        s.Cluster.Crash(s.FirstOwner(9 - participant));
        s.TakeOver(9 - participant, s.FirstOwner(2));
        s.Judge();
    }

    private static List<RowRequest> Hold(Scenario s, int row, Func<RowRequest, bool> matches)
    {
        var taken = new List<RowRequest>();
        s.Rows.Hook = request =>
        {
            if (taken.Count > 0 || request.Row != row || !matches(request)) return RowFate.Work;
            taken.Add(request);
            return RowFate.Hold;
        };
        return taken;
    }

    private static void Fail(Scenario s, RowFate fate, Func<RowRequest, bool> matches, Action? then = null)
    {
        var isDone = false;
        s.Rows.Hook = request =>
        {
            if (isDone || !matches(request)) return RowFate.Work;
            isDone = true;
            if (then is not null) s.Cluster.Loop.Queue(150, Simulation.Events.EventKind.Fault, 0, then);
            return fate;
        };
    }
}
