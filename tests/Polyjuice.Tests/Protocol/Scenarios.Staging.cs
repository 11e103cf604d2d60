using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Protocol;

// Staged commits: what commits by its prepares. T writes at partitions 0, the manager, and 1. T2 writes at 1, its
// manager, and 2, and depends on T1 at partition 1.
internal static partial class Scenarios
{
    /// <summary>The caller hears "committed" before the commit record is in the log, where it never comes.</summary>
    public static void StagedIsFoundOutAgain(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var recording = s.Log.Hold(0, LogRecordKind.Commit);
        s.Commit(s.Agent, Scenario.Updates("T", 1, 0));
        s.Require(!HasLogged(s, 0, LogRecordKind.Commit, s.Agent), "the commit record is not durable");
        s.Cluster.Crash(s.FirstOwner(0));
        recording.Lose();
        s.TakeOver(0, s.Spare);
        s.Commit(s.Agent, Scenario.Updates("Next", 1, 0));
        s.Judge();
    }

    /// <summary>
    /// The manager is asked to abort while it lacks one vote, of a
    /// prepare that is durable; before the abort is in its log, it dies.
    /// </summary>
    public static void StagedAbortIsLoggedFirst(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var vote = s.Wire.Hold(Scenario.Of(MessageKind.Vote, s.FirstOwner(1).Id, s.FirstOwner(0).Id));
        s.Wire.Drop(Scenario.Of(MessageKind.PrepareReply));
        s.Wire.Hold(m => m.To == s.FirstOwner(1).Id && m.Kind is MessageKind.Outcome or MessageKind.Abandon);
        s.Wire.Hold(Scenario.Of(MessageKind.Query, s.FirstOwner(1).Id, s.FirstOwner(0).Id));
        var aborting = s.Log.Hold(0, LogRecordKind.Outcome);
        var record = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T", 1, 0)));
        s.Until(
            () => vote.Taken.Count > 0 && HasLogged(s, 0, LogRecordKind.Staged, s.Agent),
            "both have logged their prepares");
        s.Until(() => aborting.Taken.Count > 0, "the abort is being appended");
        s.Run(2_000);
        s.Cluster.Crash(s.FirstOwner(0));
        aborting.Lose();
        s.TakeOver(0, s.Spare);
        s.Until(record);
        foreach (var rule in s.Wire.Rules) rule.Off();
        s.Commit(s.Agent, Scenario.Updates("Next", 1, 0));
        s.Judge();
    }

    /// <summary>
    /// A successor of the manager asks who has not got its prepare yet, and
    /// aborts; then the prepare comes, and the vote goes to the predecessor.
    /// </summary>
    public static void StagedRefusalIsRemembered(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);

        // The agent's oldest live transaction: without it, partition 1 would know that T is over.
        var gate = new Gate();
        var older = s.Start(s.Agent, new TransactionSpec("Older", Step.Sequence(Step.Read(2), Step.Wait(gate))));
        s.Until(() => gate.Arrivals > 0, "an older transaction waits");
        var prepare = s.Wire.Hold(Scenario.Of(MessageKind.Prepare, s.Agent.Id, and: m => m.Partition == 1));
        s.Wire.Hold(m => m.To == s.FirstOwner(1).Id && m.Kind is MessageKind.Outcome or MessageKind.Abandon);
        var record = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T", 1, 0)));
        s.Until(() => HasLogged(s, 0, LogRecordKind.Staged, s.Agent), "the manager has logged its prepare");
        s.TakeOver(0, s.Spare);
        s.Until(record);
        s.Require(record.Outcome == Outcome.Aborted, "the successor aborts");
        s.Believe(s.FirstOwner(1), 0, s.FirstOwner(0));
        prepare.Release();
        s.Run(20_000);
        gate.Open();
        s.Until(older);
        s.Judge();
    }

    /// <summary>
    /// The same, and whom it asks was deposed before the transaction began,
    /// and does not know; partition 1 has voted, and the caller was told.
    /// </summary>
    public static void StagedIsNotAnsweredByEarlierEpochs(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var owner = s.FirstOwner(2);
        s.TakeOver(1, owner);
        s.Run(300_000);
        s.Believe(s.Spare, 1, s.FirstOwner(1));
        var recording = s.Log.Hold(0, LogRecordKind.Commit);
        s.Commit(s.Agent, Scenario.Updates("T", 1, 0));
        s.Cluster.Crash(s.FirstOwner(0));
        recording.Lose();
        s.Cluster.Assign(0, s.Spare);
        s.Until(() => s.Spare.Owns(0), "the successor serves");
        s.Run(1_000);
        s.Believe(s.Spare, 1, owner);
        s.Commit(s.Agent, Scenario.Updates("Next", 1, 0));
        s.Judge();
    }

    /// <summary>Everybody else is done with it, and the manager dies before its commit record is in the log.</summary>
    public static void StagedIsKeptUntilRecorded(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var recording = s.Log.Hold(0, LogRecordKind.Commit);
        s.Commit(s.Agent, Scenario.Updates("T", 1, 0));
        s.Until(() => recording.Taken.Count > 0, "the commit record is being appended");
        for (var round = 0; round < 3; round++)
        {
            s.Commit(s.Agent, Scenario.Updates("Touch", 4));
            s.Run(20_000);
        }

        s.Cluster.Crash(s.FirstOwner(0));
        recording.Lose();
        s.TakeOver(0, s.Spare);
        s.Commit(s.OtherAgent, Scenario.Updates("Next", 0));
        s.Judge();
    }

    /// <summary>All prepares of T2 are durable; T1, on which it depends at partition 1, aborts.</summary>
    public static void StagedWaitsForDependencies(ProtocolBreaks breaks) =>
        StagedDependencyAborts(breaks, crash: false);

    /// <summary>The same, and the manager's successor finds T2's prepare.</summary>
    public static void StagedIsFoundOutWithItsDependencies(ProtocolBreaks breaks) =>
        StagedDependencyAborts(breaks, crash: true);

    private static void StagedDependencyAborts(ProtocolBreaks breaks, bool crash)
    {
        var s = new Scenario(breaks, PolicyActions.ReadDirty);
        s.Wire.Drop(Scenario.Of(MessageKind.Vote, to: s.FirstOwner(0).Id));
        s.Wire.Drop(Scenario.Of(MessageKind.PrepareReply, s.FirstOwner(1).Id, s.OtherAgent.Id));
        var dependency = s.Start(s.OtherAgent, Scenario.Once(Scenario.Updates("T1", 0, 1)));
        s.Until(
            () => HasLogged(s, 1, LogRecordKind.Prepare, s.OtherAgent), "T1 is logged at partition 1 and undecided");
        if (crash) s.Wire.Drop(Scenario.Of(MessageKind.Vote, s.FirstOwner(2).Id, s.FirstOwner(1).Id));
        var dependent = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T2", 1, 2)));
        s.Until(
            () => HasLogged(s, 1, LogRecordKind.Staged, s.Agent) && HasLogged(s, 2, LogRecordKind.Prepare, s.Agent),
            "T2's prepares are durable");
        if (crash)
        {
            s.Cluster.Crash(s.FirstOwner(1));
            s.TakeOver(1, s.Spare);
        }

        s.Until(dependency, dependent);
        s.Require(dependency.Outcome == Outcome.Aborted, "T1 aborts");
        s.Judge();
    }
}
