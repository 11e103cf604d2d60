using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Storage;
using Polyjuice.Storage;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Protocol;

// Votes and outcomes: rules V1 to V7. Of the written partitions, the manager is the one with the least number.
internal static partial class Scenarios
{
    /// <summary>
    /// Partition 1 voted in the first round and refuses the second;
    /// partition 0 refused the first round and votes in the second.
    /// </summary>
    public static void V1VotesOfOneRound(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var late = s.Wire.Hold(
            Scenario.Of(MessageKind.Prepare, s.Agent.Id, and: m => m.Partition == 0 && m.Round == 1));
        s.Wire.Hold(Scenario.Of(MessageKind.AbortRequest, s.Agent.Id));
        var first = s.Start(s.Agent, new TransactionSpec("First", Step.Sequence(Step.Read(1), Step.Update(0))));
        s.Until(() => late.Taken.Count > 0, "the first has its timestamp");
        s.Run(2_000);
        s.Commit(s.OtherAgent, new TransactionSpec("Second", Step.Sequence(Step.Read(0), Step.Update(1))));
        late.Release();
        s.Run(5_000);
        s.Judge();
    }

    /// <summary>
    /// T2 only reads at partition 1, where it depends on T1 in the first round, and so has logged its prepare. In the
    /// second round T1 is committed. The log needs the outcome all the same: nobody could tell it any more to who
    /// recovers from it.
    /// </summary>
    public static void V6EarlierRoundIsLogged(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks, PolicyActions.ReadDirty, staged: false);
        var votes = s.Wire.Hold(VotesOf12(s));
        s.Start(s.OtherAgent, Scenario.Updates("T1", 1, 2));
        s.Until(
            () => votes.Taken.Count > 0 && HasLogged(s, 1, LogRecordKind.Prepare, s.OtherAgent),
            "T1 is logged at partition 1 and undecided");
        var late = s.Wire.Hold(
            Scenario.Of(MessageKind.Prepare, s.Agent.Id, and: m => m.Partition == 0 && m.Round == 1));
        var dependent = s.Start(
            s.Agent, Scenario.Once(new TransactionSpec("T2", Step.Sequence(Step.Read(1), Step.Update(0)))));
        s.Until(() => HasLogged(s, 1, LogRecordKind.Prepare, s.Agent), "T2 has logged its prepare at partition 1");
        s.Commit(s.OtherAgent, new TransactionSpec("Overtaking", Step.Sequence(Step.Read(0), Step.Update(3))));
        votes.Release();
        s.Run(5_000);
        late.Release();
        s.Until(dependent);
        s.Require(dependent.Outcome == Outcome.Committed, "T2 commits in its second round");
        s.Until(() => HasLogged(s, 1, LogRecordKind.Outcome, s.Agent), "partition 1 has the outcome in its log");
        s.Judge();
    }

    /// <summary>
    /// T2 depends, at partition 1, on T1. T2's commit record is durable, T1 commits, T2's caller hears "committed", and
    /// the manager dies before the resolution is in its log: its successor must find out once more what became of T1.
    /// </summary>
    public static void V5ResolutionIsLost(ProtocolBreaks breaks) => ResolutionIsLost(breaks, isRecovered: false);

    /// <summary>
    /// The same, and where T1 is to be asked for, a successor has it
    /// from its log alone, and T2 with an outcome that is not final yet.
    /// </summary>
    public static void V6RecoveredOutcomeIsKept(ProtocolBreaks breaks) => ResolutionIsLost(breaks, isRecovered: true);

    private static void ResolutionIsLost(ProtocolBreaks breaks, bool isRecovered)
    {
        var s = new Scenario(breaks, PolicyActions.ReadDirty, staged: false);
        var votes = s.Wire.Hold(VotesOf12(s));
        var dependency = s.Start(s.OtherAgent, Scenario.Updates("T1", 1, 2));
        s.Until(
            () => votes.Taken.Count > 0 && HasLogged(s, 1, LogRecordKind.Prepare, s.OtherAgent),
            "T1 is logged at partition 1 and undecided");
        var lost = s.Log.Hold(0, LogRecordKind.Resolved);
        var dependent = s.Start(s.Agent, new TransactionSpec("T2", Step.Sequence(Step.Read(1), Step.Update(0))));
        s.Until(
            () => s.Cluster.Logs.Batches(0)
                .Any(
                    b => LogTap.Read(b.Bytes)
                        .Any(
                            r => r.Kind == LogRecordKind.Commit && r.Transaction.Node == s.Agent.Id
                                && r.Transaction.Sequence > 6)),
            "T2's commit record is durable");
        votes.Release();
        s.Until(dependency, dependent);
        s.Until(() => lost.Taken.Count > 0, "the resolution is being appended");
        if (isRecovered)
        {
            var successor = s.FirstOwner(2);
            s.TakeOver(1, successor);
            s.Until(
                () => successor.Engine.Partitions.Owner(1)!.Branches.Any(
                    b => b.Transaction.Type == "T2" && b.State == BranchState.Committed),
                "the successor knows of T2's commit, which is not final");
        }

        // News for partitions 1 and 2 alone; partition 0 can't append.
        for (var round = 0; round < 3; round++)
        {
            foreach (var agent in new[] { s.Agent, s.OtherAgent })
            {
                s.Commit(agent, Scenario.Updates("Touch", 4));
                s.Commit(agent, Scenario.Updates("Touch", 5));
            }

            s.Run(30_000);
        }

        s.Cluster.Crash(s.FirstOwner(0));
        lost.Lose();
        s.TakeOver(0, s.Spare);
        s.Judge();
    }

    /// <summary>
    /// A successor that lacks the commit record counts votes that name its predecessor, which aborts.
    /// </summary>
    public static void V2OneDecider(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks, staged: false);
        var votes = s.Wire.Hold(Scenario.Of(MessageKind.Vote, s.FirstOwner(1).Id));
        s.Wire.Drop(Scenario.Of(MessageKind.PrepareReply));
        var record = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T", 1, 0)));
        s.Until(
            () => votes.Taken.Count > 0 && HasLogged(s, 0, LogRecordKind.Prepare, s.Agent),
            "both have logged their prepares");
        s.TakeOver(0, s.Spare);
        s.Believe(s.Agent, 0, s.FirstOwner(0));
        s.Wire.Hold(Scenario.Of(MessageKind.AgentOutcome, s.Spare.Id));

        // The votes are said again, to the successor; the agent asks the predecessor to abort.
        votes.Off();
        s.Until(record);
        s.Judge();
    }

    /// <summary>
    /// A participant votes to, and asks, an owner that was deposed
    /// before the transaction began and has nothing to append.
    /// </summary>
    public static void V2DeposedManagerGivesUp(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        s.TakeOver(0, s.Spare);
        s.Run(300_000);
        s.Believe(s.FirstOwner(1), 0, s.FirstOwner(0));
        var record = s.Start(s.Agent, Scenario.Updates("T", 1, 0));
        s.Until(() => !s.FirstOwner(0).Engine.Owns(0), "the deposed owner learns from the epoch that a vote names");
        s.Believe(s.FirstOwner(1), 0, s.Spare);
        s.Until(record);
        s.Judge();
    }

    /// <summary>The agent hears nothing more after its prepares went out; the manager has all votes.</summary>
    public static void V3NoUnilateralAbort(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        s.Wire.Hold(Scenario.Of(MessageKind.PrepareReply));
        s.Wire.Hold(Scenario.Of(MessageKind.AgentOutcome));
        s.Start(s.Agent, Scenario.Once(Scenario.Updates("T", 1, 0)));
        s.Until(() => HasLogged(s, 0, LogRecordKind.Commit, s.Agent), "the manager has committed");
        s.Run(400_000);
        s.Judge();
    }

    /// <summary>An abort is asked for while the commit record is on its way to the log.</summary>
    public static void V3NoAbortWhileRecording(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks, staged: false);
        s.Wire.Drop(Scenario.Of(MessageKind.PrepareReply));
        var recording = s.Log.Hold(0, LogRecordKind.Commit);
        var record = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T", 1, 0)));
        s.Until(() => recording.Taken.Count > 0, "the commit record is being appended");
        s.Run(400_000);
        recording.Release();
        s.Until(record);
        s.Judge();
    }

    /// <summary>A manager that knows nothing yet is asked to abort; then the prepare and the vote arrive.</summary>
    public static void V4UnknownIsRemembered(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var prepare = s.Wire.Hold(Scenario.Of(MessageKind.Prepare, s.Agent.Id, and: m => m.Partition == 0));
        var vote = s.Wire.Hold(Scenario.Of(MessageKind.Vote, s.FirstOwner(1).Id));
        var abandon = s.Wire.Hold(m => m.To == s.FirstOwner(0).Id && m.Kind == MessageKind.Abandon);
        var record = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T", 1, 0)));
        s.Until(() => vote.Taken.Count > 0, "partition 1 has voted");
        s.Until(record);
        s.Require(record.Outcome == Outcome.Aborted, "the manager's answer is an abort");
        prepare.Release();
        vote.Release();
        s.Run(20_000);
        abandon.Release();
        s.Judge();
    }

    /// <summary>
    /// A deposed manager that does not know it hears from a participant that has forgotten the dependency; its
    /// successor has committed long ago.
    /// </summary>
    public static void V4AbortIsLoggedFirst(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks, PolicyActions.ReadDirty, staged: false);
        var deposed = s.FirstOwner(0);
        var votes = s.Wire.Hold(VotesOf12(s));
        var query = s.Wire.Hold(Scenario.Of(MessageKind.DependencyQuery, deposed.Id));
        var dependency = s.Start(s.OtherAgent, Scenario.Updates("T1", 1, 2));
        s.Until(
            () => votes.Taken.Count > 0 && HasLogged(s, 1, LogRecordKind.Prepare, s.OtherAgent),
            "T1 is logged at partition 1 and undecided");
        var dependent = s.Start(s.Agent, new TransactionSpec("T2", Step.Sequence(Step.Read(1), Step.Update(0))));
        s.Until(() => query.Taken.Count > 0, "T2's commit record is durable, and its manager asks for T1");
        var first = query.Taken[0];
        s.TakeOver(0, s.Spare);
        votes.Release();
        s.Until(dependency, dependent);
        s.Require(dependent.Outcome == Outcome.Committed, "the successor commits T2");
        Touch(s);
        Touch(s);
        s.Believe(s.FirstOwner(1), 0, deposed);
        s.Believe(s.Agent, 0, deposed);
        query.Off();
        s.Cluster.Network.Release(first);
        s.Run(50_000);
        s.Judge();
    }

    /// <summary>
    /// A deposed participant that has not heard of the commit asks the manager, which has forgotten it: all
    /// acknowledgements that were needed came from its successor.
    /// </summary>
    public static void V4UnknownIsLoggedFirst(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var deposed = s.FirstOwner(1);
        s.Wire.Hold(Scenario.Of(MessageKind.Outcome, to: deposed.Id));
        var query = s.Wire.Hold(Scenario.Of(MessageKind.Query, deposed.Id));
        s.Commit(s.Agent, Scenario.Updates("T", 1, 0));
        var gate = new Gate();
        var snapshot = s.Start(
            s.OtherAgent,
            Scenario.Once(
                new TransactionSpec(
                    "Snapshot", Step.Sequence(Step.Read(0), Step.Wait(gate), Step.Read(1)), IsReadOnly: true)));
        s.Until(() => gate.Arrivals > 0, "the snapshot has seen the commit at partition 0");
        s.TakeOver(1, s.Spare);
        s.Until(() => HasLogged(s, 1, LogRecordKind.Outcome, s.Agent), "the successor has the outcome in its log");
        Touch(s);
        s.Until(() => HasLogged(s, 0, LogRecordKind.Forget, s.Agent), "the manager has forgotten");
        s.Believe(s.OtherAgent, 1, deposed);
        s.Until(() => query.Taken.Count > 0, "the deposed participant asks");
        foreach (var rule in s.Wire.Rules) rule.Off();

        // Its next append would tell it that it was deposed: that takes a while.
        s.Log.Rule(AppendFate.Hold, (request, _) => request.Process == deposed);
        s.Cluster.Network.Release(query.Taken[^1]);
        s.Run(1_000);
        gate.Open();
        s.Until(snapshot);
        s.Judge();
    }

    /// <summary>A commit record names a dependency that is undecided, and that aborts.</summary>
    public static void V5RecordedIsNotCommitted(ProtocolBreaks breaks) => DependencyAborts(breaks, crash: false);

    /// <summary>The same, and the manager's successor finds the record.</summary>
    public static void V5RecoveredIsNotCommitted(ProtocolBreaks breaks) => DependencyAborts(breaks, crash: true);

    /// <summary>The agent has heard nothing, and asks when everybody else is done with it.</summary>
    public static void V6AgentMustHaveTold(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var outcome = s.Wire.Drop(Scenario.Of(MessageKind.AgentOutcome, and: m => m.Has(MessageFlags.Committed)));
        s.Wire.Drop(Scenario.Of(MessageKind.PrepareReply));
        var record = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T", 1, 0)));
        s.Until(() => HasLogged(s, 1, LogRecordKind.Outcome, s.Agent), "every participant has the outcome in its log");
        s.Run(60_000);
        s.Cluster.Crash(s.FirstOwner(0));
        s.TakeOver(0, s.Spare);
        outcome.Off();
        s.Until(record);
        s.Judge();
    }

    /// <summary>An owner that was deposed before the transaction began acknowledges what it knows nothing of.</summary>
    public static void V6AcknowledgementIsProven(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var deposed = s.FirstOwner(1);
        s.TakeOver(1, s.Spare);
        s.Until(() => s.Cluster.AllServed(), "the successor serves");
        s.Run(300_000);
        s.Believe(s.FirstOwner(0), 1, deposed);
        s.Wire.Hold(Scenario.Of(MessageKind.Query, s.Spare.Id));
        var sealing = s.Wire.Hold(m => m.To == s.Spare.Id && m.Kind is MessageKind.Sealed or MessageKind.Outcome);
        s.Commit(s.Agent, Scenario.Updates("T", 1, 0));
        s.Run(1_000);
        for (var round = 0; round < 3; round++)
        {
            s.Commit(s.Agent, Scenario.Updates("Touch", 3));
            s.Run(20_000);
        }

        s.Judge();
    }

    /// <summary>One participant commits with one batch, and without a vote.</summary>
    public static void V7OneParticipant(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var votes = s.Wire.Watch(Scenario.Of(MessageKind.Vote));
        var from = s.Cluster.Logs.Batches(0).Count;
        s.Commit(s.Agent, Scenario.Updates("T", 0, 3));
        var batches = s.Cluster.Logs.Batches(0).Skip(from).Select(b => LogTap.Read(b.Bytes)).ToArray();
        var isOne = batches.Any(
            b => b.Any(r => r.Kind == LogRecordKind.Prepare) && b.Any(r => r.Kind == LogRecordKind.Commit));
        if (!isOne || votes.Taken.Count > 0)
            throw new SimulationFailedException("second-phase", $"{batches.Length} batches, {votes.Taken.Count} votes");
        s.Judge();
    }

    private static void DependencyAborts(ProtocolBreaks breaks, bool crash)
    {
        var s = new Scenario(breaks, PolicyActions.ReadDirty, staged: false);
        var votes = s.Wire.Drop(VotesOf12(s));
        s.Wire.Drop(Scenario.Of(MessageKind.PrepareReply, s.FirstOwner(2).Id, s.OtherAgent.Id));
        var dependency = s.Start(s.OtherAgent, Scenario.Once(Scenario.Updates("T1", 1, 2)));
        s.Until(
            () => votes.Taken.Count > 0 && HasLogged(s, 1, LogRecordKind.Prepare, s.OtherAgent),
            "T1 is logged at partition 1 and undecided");
        var recorded = s.Cluster.Logs.Batches(0).Count;
        var dependent = s.Start(
            s.Agent, Scenario.Once(new TransactionSpec("T2", Step.Sequence(Step.Read(1), Step.Update(0)))));
        s.Until(
            () => s.Cluster.Logs.Batches(0).Skip(recorded)
                .Any(b => LogTap.Read(b.Bytes).Any(r => r.Kind == LogRecordKind.Commit)),
            "T2's commit record is durable");
        if (crash)
        {
            s.Cluster.Crash(s.FirstOwner(0));
            s.TakeOver(0, s.Spare);
        }

        s.Until(dependency, dependent);
        s.Require(dependency.Outcome == Outcome.Aborted, "T1 aborts");
        s.Judge();
    }

    /// <summary>The votes between partitions 1 and 2: without them T1, which writes at both, stays undecided.</summary>
    private static Func<TappedMessage, bool> VotesOf12(Scenario s) =>
        m => m.Kind == MessageKind.Vote && m.To != s.FirstOwner(0).Id && m.To != s.Spare.Id;

    internal static bool HasLogged(Scenario s, int partition, LogRecordKind kind, SimulatedNode agent) =>
        s.Cluster.Logs.Batches(partition).Skip(s.WarmBatches[partition])
            .Any(b => LogTap.Read(b.Bytes).Any(r => r.Kind == kind && r.Transaction.Node == agent.Id));
}
