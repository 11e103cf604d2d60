using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.Tracing;

/// <summary>
/// What one engine tells of its steps, as events of the trace. Rows have
/// the numbers that taps give them, because each engine has its own.
/// </summary>
internal sealed partial class NodeTrace(ProtocolTrace trace, SimulatedNode node) : IProtocolEvents
{
    private ProtocolSpecification Specification => trace.Specification;

    public void Fenced(int partition, long epoch)
    {
        if (!trace.Takes(node)) return;
        try
        {
            Specification.Accept(new OwnerFenced(node.Id, NumberOf(partition), epoch));
        }
        catch (SimulationFailedException rejection)
        {
            trace.Reject(rejection);
        }
    }

    public void Loaded(int partition, long epoch)
    {
        if (!node.Engine.Names.TryGetKey(partition, out var key)) return;
        var unit = node.Cluster.Accounts.RowOf(key.Grain, key.State);
        var tap = node.Cluster.TapOf(unit);
        var contents = RecordReader.ReadRow(tap.Image(node.Cluster.Rows!.Content(unit)), tap.Key);
        Take(() => Specification.Accept(new RowLoaded(node.Id, tap.Partition, epoch, tap.Key, contents)));
    }

    public void Serves(PartitionOwner owner)
    {
        if (!trace.Takes(node)) return;
        try
        {
            HashSet<TransactionId> undecided =
            [
                .. owner.Branches.Where(static branch => branch.IsUndecided).Select(static branch => branch.Id)
            ];
            Specification.Accept(new OwnerServes(node.Id, NumberOf(owner.Partition), owner.Epoch, undecided));
        }
        catch (SimulationFailedException rejection)
        {
            trace.Reject(rejection);
        }
    }

    public void Stopped(PartitionOwner owner)
    {
        if (trace.Takes(node)) Specification.Accept(new OwnerStopped(node.Id, NumberOf(owner.Partition), owner.Epoch));
    }

    public void Heard(NodeId from, long clock, long last, long oldestLive)
    {
        if (!trace.Takes(node)) return;
        try
        {
            var limit = (node.UtcMicroseconds
                + node.Cluster.Shape.Options.MaxClockSkewMicroseconds) << HybridClock.LogicalBits;
            Specification.Accept(new ClockHeard(node.Id, from, clock, last, limit, oldestLive));
        }
        catch (SimulationFailedException rejection)
        {
            trace.Reject(rejection);
        }
    }

    public void Entered(TransactionId id, NodeId caller, long callId)
    {
        if (!trace.Takes(node)) return;
        try
        {
            Specification.Accept(new CallEntered(node.Id, id, caller, callId));
        }
        catch (SimulationFailedException rejection)
        {
            trace.Reject(rejection);
        }
    }

    public void Accessed(Branch branch, StateVersion version, int number)
    {
        if (!trace.Takes(node)) return;
        try
        {
            Specification.Accept(
                new AccessServed(
                    node.Id, NumberOf(branch.Owner.Partition), branch.Id, version.Participant.Key, version.Id, number));
        }
        catch (SimulationFailedException rejection)
        {
            trace.Reject(rejection);
        }
    }

    public void Wrote(Branch branch, StateVersion version)
    {
        if (!trace.Takes(node)) return;
        try
        {
            Specification.Accept(
                new VersionWritten(
                    node.Id, NumberOf(branch.Owner.Partition), branch.Id, version.Participant.Key, version.Id));
        }
        catch (SimulationFailedException rejection)
        {
            trace.Reject(rejection);
        }
    }

    public void Ordered(Branch branch, in Message prepare)
    {
        if (!trace.Takes(node)) return;
        try
        {
            Specification.Accept(new TransactionOrdered(node.Id, NumberOf(branch.Owner.Partition), branch.Id)
            {
                Round = branch.Round,
                Timestamp = branch.Timestamp,
                Manager = NumberOf(branch.Manager),
                ManagerEpoch = branch.ManagerEpoch,
                Parts = branch.Parts,
                Accesses = AccessesOf(branch),
                Dependencies = branch.DependsOn is { } dependencies
                    ? [.. dependencies.Select(static one => one.Id)]
                    : [],
                WillLog = branch.WillLog,
                IsStaged = branch.IsStaged,
                Now = node.UtcMicroseconds,
            });
        }
        catch (SimulationFailedException rejection)
        {
            trace.Reject(rejection);
        }
    }

    public void Removed(StateVersion version)
    {
        if (!trace.Takes(node)) return;
        try
        {
            var participant = version.Participant;
            Specification.Accept(
                new VersionRemoved(
                    node.Id,
                    NumberOf(participant.Owner.Partition),
                    participant.Key,
                    version.Id,
                    participant.Last.Id,
                    participant.Last.Rts));
        }
        catch (SimulationFailedException rejection)
        {
            trace.Reject(rejection);
        }
    }

    public void ReadSnapshot(Ownership owner, TransactionId id, StateVersion version, long timestamp)
    {
        if (!trace.Takes(node)) return;
        try
        {
            Specification.Accept(
                new SnapshotServed(
                    node.Id,
                    NumberOf(owner.Partition),
                    id,
                    version.Participant.Key,
                    version.Id,
                    version.Rts,
                    timestamp));
        }
        catch (SimulationFailedException rejection)
        {
            trace.Reject(rejection);
        }
    }

    public void Ended(Ownership owner, TransactionId id, bool committed)
    {
        if (!trace.Takes(node)) return;
        try
        {
            Specification.Accept(new BranchEnded(node.Id, NumberOf(owner.Partition), id, committed));
        }
        catch (SimulationFailedException rejection)
        {
            trace.Reject(rejection);
        }
    }

    public void Promised(Ownership owner, TransactionId id, int round)
    {
        if (trace.Takes(node)) Specification.Accept(new RoundPromised(node.Id, NumberOf(owner.Partition), id, round));
    }

    public void Forgot(Ownership owner, TransactionId id)
    {
        if (!trace.Takes(node)) return;
        try
        {
            Specification.Accept(new OutcomeForgotten(node.Id, NumberOf(owner.Partition), id));
        }
        catch (SimulationFailedException rejection)
        {
            trace.Reject(rejection);
        }
    }

    public void ForgetsDecision(Ownership owner, Decision decision)
    {
        if (!trace.Takes(node)) return;
        try
        {
            Specification.Accept(new DecisionForgotten(node.Id, NumberOf(owner.Partition), decision.Id));
        }
        catch (SimulationFailedException rejection)
        {
            trace.Reject(rejection);
        }
    }

    public void Said(Ownership owner, in Message message)
    {
        if (!IsOfProtocol(message.Kind) || !trace.Takes(node)) return;
        try
        {
            Specification.Accept(new OwnerSaid(node.Id, NumberOf(owner.Partition), Translated(message)));
        }
        catch (SimulationFailedException rejection)
        {
            trace.Reject(rejection);
        }
    }

    public void Prepares(in Message prepare)
    {
        var sent = new PrepareSent(Translated(prepare));
        Take(() => Specification.Accept(sent));
    }

    public void Told(LocalTransaction transaction, AbortReason? abort, long timestamp)
    {
        if (!trace.Takes(node)) return;
        try
        {
            Specification.Accept(
                new CallerTold(
                    node.Id, transaction.Id, abort, transaction.IsReadOnly,
                    transaction.IsReadOnly ? transaction.Start : timestamp, node.UtcMicroseconds));
        }
        catch (SimulationFailedException rejection)
        {
            trace.Reject(rejection);
        }
    }

    private static OrderedAccess[] AccessesOf(Branch branch)
    {
        var accesses = new List<OrderedAccess>();
        foreach (var entry in branch.Entries)
            accesses.Add(
                new OrderedAccess(
                    entry.Participant.Key, entry.Read.Id, entry.Read.Rts, branch.ReadsOnly ? null : entry.Write?.Id));
        return [.. accesses];
    }

    private static bool IsOfProtocol(MessageKind kind) =>
        kind is MessageKind.PrepareReply or MessageKind.Vote or MessageKind.VoteQuery or MessageKind.Outcome
            or MessageKind.AgentOutcome
                or MessageKind.Acknowledge or MessageKind.DependencyAnswer;

    /// <summary>With partitions as the cluster numbers them, wherever any kind of message names one.</summary>
    private Message Translated(in Message message)
    {
        if (node.Engine.Names.Count == 0) return message;
        return message with
        {
            Partition = NumberOf(message.Partition),
            FromPartition = NumberOf(message.FromPartition),
            Manager = NumberOf(message.Manager),
            Parts = message.Parts is { } parts
                ? Array.ConvertAll(parts, part => part with { Partition = NumberOf(part.Partition) })
                : null,
            Dependencies = message.Dependencies is { } dependencies
                ? Array.ConvertAll(dependencies, one => one with { Partition = NumberOf(one.Partition) })
                : null,
        };
    }

    private int NumberOf(int partition) => ProtocolTrace.NumberOf(node, partition);
}
