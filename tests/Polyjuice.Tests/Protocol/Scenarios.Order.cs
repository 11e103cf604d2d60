using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Runs;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Protocol;

// Versions and timestamps: rules R1 to R4.
internal static partial class Scenarios
{
    private const PolicyActions Dirty = PolicyActions.ReadDirty;

    /// <summary>Two transactions each read what the other then overwrites (write skew).</summary>
    public static void R1ReadOvertaken(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var gate = new Gate();
        var first = s.Start(
            s.Agent, new TransactionSpec("First", Step.Sequence(Step.Read(0), Step.Wait(gate), Step.Update(1))));
        s.Until(() => gate.Arrivals > 0, "the first has read account 0");
        s.Commit(s.OtherAgent, new TransactionSpec("Second", Step.Sequence(Step.Read(1), Step.Update(0))));
        gate.Open();
        s.Until(first);
        s.Judge();
    }

    /// <summary>An update that was derived from a version which is no longer the last.</summary>
    public static void R1UpdateOvertaken(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var gate = new Gate();
        var first = s.Start(
            s.Agent, new TransactionSpec("First", Step.Sequence(Step.Update(0), Step.Wait(gate), Step.Update(1))));
        s.Until(() => gate.Arrivals > 0, "the first has updated account 0");
        s.Commit(s.OtherAgent, Scenario.Updates("Second", 0));
        gate.Open();
        s.Until(first);
        s.Judge();
    }

    /// <summary>
    /// The writer is ordered at account 1, the reader reads that and the old account 0 at a later timestamp, and then
    /// the writer's prepare for account 0 arrives. It must neither be ordered before the read (R1), nor move past it
    /// everywhere (R2).
    /// </summary>
    public static void R1ReadTimestamp(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks, Dirty);
        var late = s.Wire.Hold(Scenario.Of(MessageKind.Prepare, s.Agent.Id, and: m => m.Partition == 0));
        var writer = s.Start(s.Agent, Scenario.Updates("Writer", 0, 1));
        s.Until(() => late.Taken.Count > 0, "the writer's prepare for partition 0 is under way");
        s.Run(1_000);
        var reader = s.Start(s.OtherAgent, new TransactionSpec("Reader", Step.Sequence(Step.Read(1), Step.Read(0))));
        s.Run(3_000);
        late.Release();
        s.Until(writer, reader);
        s.Judge();
    }

    /// <summary>A dirty read of the first of two writes of one transaction.</summary>
    public static void R1aFirstOfTwoWrites(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks, Dirty | PolicyActions.WritePublic);
        var gate = new Gate();
        var writer = s.Start(
            s.Agent, new TransactionSpec("Writer", Step.Sequence(Step.Update(0), Step.Wait(gate), Step.Update(0))));
        s.Until(() => gate.Arrivals > 0, "the first write is exposed");
        var reader = s.Start(s.OtherAgent, new TransactionSpec("Reader", Step.Sequence(Step.Read(0), Step.Update(1))));
        s.Run(3_000);
        gate.Open();
        s.Until(writer, reader);
        s.Judge();
    }

    /// <summary>A transaction accessed one partition under two owners; what the first served is stale.</summary>
    public static void R1bTwoEpochs(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var gate = new Gate();
        var first = s.Start(
            s.Agent,
            new TransactionSpec("First", Step.Sequence(Step.Read(0), Step.Wait(gate), Step.Read(3), Step.Update(1))));
        s.Until(() => gate.Arrivals > 0, "the first has read account 0 from the old owner");
        s.TakeOver(0, s.Spare);
        s.Commit(s.OtherAgent, new TransactionSpec("Second", Step.Sequence(Step.Read(1), Step.Update(0))));
        gate.Open();
        s.Until(first);
        s.Judge();
    }

    /// <summary>The network delivers a grain call twice.</summary>
    public static void R1cDuplicateCall(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var before = s.FirstOwner(0).Calls.RemoteCallsEntered;
        s.Wire.Duplicate(m => m.IsCall);
        var record = s.Start(s.Agent, Scenario.Once(Scenario.Updates("Twice", 0)));
        s.Until(record);
        var entered = s.FirstOwner(0).Calls.RemoteCallsEntered - before;
        if (record.Outcome != Outcome.Committed || entered != 1)
            throw new SimulationFailedException(
                "not-idempotent", $"a duplicated call was entered {entered} times: {record}");
        s.Judge();
    }

    /// <summary>A vote turns up again long after everybody has forgotten the transaction.</summary>
    public static void R1cLateVote(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var votes = s.Wire.Watch(Scenario.Of(MessageKind.Vote));
        s.Commit(s.Agent, Scenario.Updates("Two", 0, 1));
        s.Idle();
        Touch(s);
        votes.Off();
        s.Require(votes.Taken.Count > 0, "a vote went over the network");
        votes.Replay(0);
        s.Run(1_000_000);
        s.Judge();
    }

    /// <summary>A node whose clock is seconds ahead.</summary>
    public static void R2ClockAhead(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        s.OtherAgent.ClockOffset = 10_000_000;
        var ahead = s.Start(
            s.OtherAgent, Scenario.Once(Scenario.Updates("Ahead", 0)) with { TimeoutMicroseconds = 200_000 });
        s.Until(ahead);
        s.OtherAgent.ClockOffset = 0;
        var prepares = s.Wire.Watch(Scenario.Of(MessageKind.Prepare, s.Agent.Id));
        s.Until(s.Start(s.Agent, Scenario.Updates("Usual", 0)));
        var prepare = (Message)prepares.Taken[^1].Content!;
        var lead = (prepare.Timestamp >> 8) - s.Agent.UtcMicroseconds;
        if (lead > s.Cluster.Shape.Options.MaxClockSkewMicroseconds)
            throw new SimulationFailedException("skew", $"a timestamp leads by {lead} µs");
        s.Judge();
    }

    /// <summary>Somebody reads a version of a transaction that is not decided yet, and then it aborts.</summary>
    public static void R3ReadOfUndecided(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks, Dirty);
        var stuck = s.Log.Hold(1, LogRecordKind.Prepare);
        var writer = s.Start(s.Agent, Scenario.Once(Scenario.Updates("Writer", 0, 1)));
        s.Until(() => stuck.Taken.Count > 0, "the writer is ordered, and can't be logged at partition 1");
        var reader = s.Start(s.OtherAgent, new TransactionSpec("Reader", Step.Sequence(Step.Read(0), Step.Update(2))));
        s.Until(writer);
        s.Require(writer.Outcome == Outcome.Aborted, "the writer gives up");
        stuck.Release();
        s.Until(reader);
        s.Judge();
    }

    /// <summary>
    /// A snapshot has read account 1 below a version whose transaction then aborts; a transaction with an earlier
    /// timestamp must not slip in between.
    /// </summary>
    public static void R4ReadTimestampsStay(ProtocolBreaks breaks)
    {
        var s = new Scenario(breaks);
        var late = s.Wire.Hold(Scenario.Of(MessageKind.Prepare, s.Agent.Id, and: m => m.Partition == 1));
        var slow = s.Start(s.Agent, Scenario.Updates("Slow", 1, 2));
        s.Until(() => late.Taken.Count > 0, "the slow one has its timestamp");
        s.Run(500);

        var snapshotGate = new Gate();
        var snapshot = s.Start(
            s.OtherAgent,
            new TransactionSpec(
                "Snapshot", Step.Sequence(Step.Read(1), Step.Wait(snapshotGate), Step.Read(2)), IsReadOnly: true));
        s.Until(() => snapshotGate.Arrivals > 0, "the snapshot has read account 1");

        var doomedGate = new Gate();
        var doomed = s.Start(
            s.OtherAgent,
            Scenario.Once(
                new TransactionSpec("Doomed", Step.Sequence(Step.Update(1), Step.Read(0), Step.Wait(doomedGate)))));
        s.Until(() => doomedGate.Arrivals > 0, "the doomed one has read account 0");
        s.Commit(s.OtherAgent, Scenario.Updates("Overtaker", 0));
        doomedGate.Open();
        s.Until(doomed);
        s.Require(
            doomed.Outcome == Outcome.Aborted,
            "the doomed one is refused at account 0 after it was ordered at account 1");
        s.Run(1_000);

        late.Release();
        s.Until(slow);
        snapshotGate.Open();
        s.Until(snapshot);
        s.Judge();
    }

    /// <summary>Both agents have something to say to every owner: news of who is finished travels with it.</summary>
    private static void Touch(Scenario s)
    {
        foreach (var agent in new[] { s.Agent, s.OtherAgent })
        {
            for (var round = 0; round < 2; round++)
            {
                for (var account = 3; account < 6; account++) s.Commit(agent, Scenario.Updates("Touch", account));
            }
        }

        s.Run(20_000);
    }
}
