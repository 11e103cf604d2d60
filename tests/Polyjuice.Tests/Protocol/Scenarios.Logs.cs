using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Storage;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Protocol;

// Logs, owners and snapshots: rules L1 to L4 and D1.
internal static partial class Scenarios
{
    /// <summary>A successor answers "unknown" for what its predecessor is just recording.</summary>
    public static void L1Fence(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks, staged: false);
        var recording = s.Log.Hold(0, LogRecordKind.Commit);
        var query = s.Wire.Watch(Scenario.Of(MessageKind.Query, s.FirstOwner(1).Id));
        var record = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T", 1, 0)));
        s.Until(() => recording.Taken.Count > 0, "the commit record is being appended");
        s.TakeOver(0, s.Spare);
        s.Until(() => query.Taken.Any(q => q.To == s.Spare.Id), "partition 1 asks the successor");
        s.Run(2_000);
        s.Believe(s.Agent, 0, s.FirstOwner(0));
        recording.Release();
        s.Until(record);
        s.Judge();
    }

    /// <summary>
    /// Two appends of an owner are under way when another takes its partition over: the first does not get to the log
    /// before the successor's fence, and the second comes to the place behind that.
    /// </summary>
    public static void L1BehindTheFence(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks, appends: 2);
        var appends = s.Log.Hold(0, LogRecordKind.Commit);
        var first = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T1", 0)));
        s.Until(() => appends.Taken.Count == 1, "the first is being recorded");
        var second = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T2", 3)));
        s.Until(() => appends.Taken.Count == 2, "the second is being recorded while the first is");
        s.TakeOver(0, s.Spare);
        s.Until(first, second);
        s.Require(second.Outcome == Outcome.Aborted, "the successor does not know the second");
        s.Cluster.Logs.Release(appends.Taken[1]);
        s.Run(5_000);
        appends.Release();
        s.TakeOver(0, s.FirstOwner(1));
        s.Judge();
    }

    /// <summary>
    /// Of two appends that are under way the first fails, in one of the ways there are; the second goes into the log
    /// after it, or not before it is tried again.
    /// </summary>
    public static void L3AppendBehindAFailedOne(ProtocolBreaks breaks, AppendFate fate)
    {
        var s = new Scenario(breaks, appends: 2);
        var appends = s.Log.Hold(0, LogRecordKind.Commit);
        var first = s.Start(s.Agent, Scenario.Updates("T1", 0));
        s.Until(() => appends.Taken.Count == 1, "the first is being recorded");
        var second = s.Start(s.Agent, Scenario.Updates("T2", 3));
        s.Until(() => appends.Taken.Count == 2, "the second is being recorded while the first is");
        appends.Off();
        s.Cluster.Logs.Release(appends.Taken[0], fate);
        s.Run(150);
        s.Require(first.Outcome == Outcome.Running && second.Outcome == Outcome.Running, "nothing is decided yet");
        s.Cluster.Logs.Release(appends.Taken[1]);
        s.Until(first, second);
        s.Require(first.Outcome == Outcome.Committed && second.Outcome == Outcome.Committed, "both commit");
        var log = s.Cluster.Logs.Batches(0);
        var places = appends.Taken.Select(append => log.TakeWhile(batch => batch.Id != append.BatchId).Count())
            .ToArray();
        s.Require(places[1] == places[0] + 1 && places[1] < log.Count, "both are in the log, in their order");
        s.Require(log.Select(batch => batch.Id).Distinct().Count() == log.Count, "no batch is in the log twice");
        s.Judge();
    }

    /// <summary>A participant dies whose prepare record never reached its log.</summary>
    public static void L2UnloggedIsGone(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var append = s.Log.Hold(1, LogRecordKind.Prepare);
        var record = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T", 1, 0)));
        s.Until(() => append.Taken.Count > 0, "partition 1 is logging its prepare");
        s.Run(5_000);
        s.Cluster.Crash(s.FirstOwner(1));
        append.Lose();
        s.TakeOver(1, s.Spare);
        s.Until(record);
        s.Judge();
    }

    /// <summary>A participant dies with a prepare in its log, before it hears of the commit.</summary>
    public static void L2PreparedIsKept(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var outcome = s.Wire.Hold(Scenario.Of(MessageKind.Outcome, to: s.FirstOwner(1).Id));
        s.Commit(s.Agent, Scenario.Updates("T", 1, 0));
        s.Until(() => outcome.Taken.Count > 0, "the outcome is under way");
        s.Cluster.Crash(s.FirstOwner(1));
        s.TakeOver(1, s.Spare);
        s.Judge();
    }

    /// <summary>An append works and is reported as failed.</summary>
    public static void L3FailedAppendMayBeThere(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var append = s.Log.Rule(
            AppendFate.FailAfter,
            (request, records) => request.Partition == 0 && records.Any(r => r.Kind == LogRecordKind.Commit));
        var record = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T", 1, 0)));
        s.Until(() => append.Taken.Count > 0, "the record is being appended");
        append.Off();
        s.Until(record);
        s.Judge();
    }

    /// <summary>A declared read-only transaction reads at an owner that was deposed long ago.</summary>
    public static void L4SnapshotBelowCeiling(ProtocolBreaks breaks) => ReadAtDeposed(breaks, isDeclared: true);

    /// <summary>An ordinary transaction that only reads, at the same.</summary>
    public static void L4ReadBelowCeiling(ProtocolBreaks breaks) => ReadAtDeposed(breaks, isDeclared: false);

    /// <summary>
    /// A successor's first write gets a timestamp above the ceiling,
    /// which lies in the future; then somebody takes a snapshot.
    /// </summary>
    public static void L4CommitWait(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks, configure: options => options.MaxClockSkewMicroseconds = 500_000);
        s.Commit(s.Agent, Scenario.Updates("Raise", 0));
        s.Cluster.Crash(s.FirstOwner(0));
        s.TakeOver(0, s.Spare);
        s.Commit(s.Agent, Scenario.Updates("T", 0));
        s.Run(100);
        s.Commit(s.OtherAgent, new TransactionSpec("Snapshot", Step.Read(0), IsReadOnly: true));
        s.Judge();
    }

    /// <summary>A snapshot comes upon an undecided version below its timestamp, which then aborts.</summary>
    public static void D1UndecidedThatAborts(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var stuck = s.Log.Hold(1, LogRecordKind.Prepare);
        var writer = s.Start(s.Agent, Scenario.Once(Scenario.Updates("Writer", 1, 0)));
        s.Until(() => stuck.Taken.Count > 0, "the writer is ordered, and can't be logged at partition 1");
        s.Run(1_000);
        var snapshot = s.Start(s.OtherAgent, new TransactionSpec("Snapshot", Step.Read(0), IsReadOnly: true));
        s.Run(2_000);
        s.Cluster.Crash(s.FirstOwner(1));
        stuck.Lose();
        s.TakeOver(1, s.Spare);
        s.Until(writer, snapshot);
        s.Require(writer.Outcome == Outcome.Aborted, "the writer aborts");
        s.Judge();
    }

    /// <summary>A snapshot comes upon an undecided version below its timestamp, which then commits.</summary>
    public static void D1UndecidedThatCommits(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var stuck = s.Log.Hold(1, LogRecordKind.Prepare);
        var writer = s.Start(s.Agent, Scenario.Updates("Writer", 1, 0));
        s.Until(() => stuck.Taken.Count > 0, "the writer is ordered, and not logged at partition 1");
        s.Run(1_000);
        var gate = new Gate();
        var snapshot = s.Start(
            s.OtherAgent,
            new TransactionSpec(
                "Snapshot", Step.Sequence(Step.Read(0), Step.Wait(gate), Step.Read(1)), IsReadOnly: true));
        s.Run(1_000);
        stuck.Release();
        s.Until(writer);
        s.Run(20_000);
        gate.Open();
        s.Until(snapshot);
        s.Judge();
    }

    private static void ReadAtDeposed(ProtocolBreaks breaks, bool isDeclared)
    {
        var s = new Scenario(breaks);
        s.TakeOver(0, s.Spare);
        s.Commit(s.Agent, Scenario.Updates("T", 1, 0));
        s.Run(300_000);
        s.Believe(s.OtherAgent, 0, s.FirstOwner(0));
        var reader = s.Start(
            s.OtherAgent,
            Scenario.Once(
                new TransactionSpec("Reader", Step.Sequence(Step.Read(1), Step.Read(0)), IsReadOnly: isDeclared)));
        s.Until(reader);
        s.Judge();
    }
}
