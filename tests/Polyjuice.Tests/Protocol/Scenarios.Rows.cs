using Polyjuice.Commit;
using Polyjuice.Execution;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Tests.Protocol;

// States in rows: the rules of logs and owners once more, and what only rows have. Accounts 3, 4 and 5 are in rows, which nodes 5, 2 and 3 of 0 to 5 own at first; node 2 owns partition 0 too.
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

    /// <summary>A row commits one transaction and prepares the next in one store, which fails half-way; then its owner dies.</summary>
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
        Fail(s, RowFate.FailHalfWay, request => request.Row == 4 && request.CommitUpTo is not null, () => s.Cluster.Crash(s.FirstOwner(4)));
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
        s.Until(() => votes.Taken.Count > 0 && s.Rows.Content(4).PendingStates.Count > 0, "T1 is prepared in the row and undecided");
        var lost = s.Log.Hold(1, LogRecordKind.Resolved);
        var dependent = s.Start(s.Agent, new TransactionSpec("T2", Step.Sequence(Step.Read(4), Step.Update(1))));
        s.Until(() => s.Cluster.Logs.Batches(1).Any(b => LogTap.Read(b.Bytes).Any(r => r.Kind == LogRecordKind.Commit && r.Transaction.Node == s.Agent.Id && r.Transaction.Sequence > 6)), "T2's commit record is durable");
        votes.Release();
        s.Until(dependency, dependent);
        s.Until(() => lost.Taken.Count > 0 && s.Rows.Content(4).PendingStates.Count == 0, "the resolution is being appended, and the row has committed T1");
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
        var reader = s.Start(s.OtherAgent, Scenario.Once(new TransactionSpec("Reader", Step.Sequence(Step.Read(1), Step.Read(4)))));
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
