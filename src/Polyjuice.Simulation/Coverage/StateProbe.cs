using System.Numerics;
using System.Runtime.InteropServices;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Coverage;

/// <summary>
/// Sees in which states of the protocol messages arrive, records are written, silos die and partitions move. It only
/// looks: a run is the same with and without it.
/// </summary>
/// <param name="cluster">Which.</param>
internal sealed class StateProbe(SimulatedCluster cluster)
{
    // The one place here that takes bits as they are: states of all kinds of messages are told apart by them alike.
    private const MessageFlags Outcomes =
        MessageFlags.Committed | MessageFlags.Aborted | MessageFlags.Final | MessageFlags.Unknown | MessageFlags.Asks;

    private readonly int[] _handled = new int[64];
    private readonly int[] _written = new int[64];
    private readonly Dictionary<(TransactionId Id, NodeId Node, int Partition), int> _lastAt = [];

    /// <summary>What was reached so far.</summary>
    public FeatureSet Features { get; } = new();

    /// <summary>A message is about to be handled.</summary>
    public void Arriving(SimulatedNode node, NetworkMessage message)
    {
        if (message.Kind != TrafficKind.Engine) return;
        Count(_handled, message.Kinds);
        foreach (ref readonly var part in CollectionsMarshal.AsSpan(WireTap.Read(message.Bytes).Messages))
            Arriving(node, part);
    }

    /// <summary>A batch is in its log.</summary>
    public void Written(AppendRequest request)
    {
        if (request.Process is not SimulatedNode node) return;
        Count(_written, LogTap.KindsOf(request.Bytes));
        var owner = node.IsAlive ? node.Engine.Partitions.Owner(request.Partition) : null;
        foreach (var record in LogTap.Read(request.Bytes))
        {
            var state = Of(StateEvent.Written, node, owner, record.Transaction) with
            {
                Kind = (int)record.Kind,
                Says = record.Value is 0 ? MessageFlags.Aborted : MessageFlags.None,
                IsDeposed = cluster.OwnerOf(request.Partition) != node,
            };
            Features.Reach(state, ProtocolStep.Of(record.Kind), _written[(int)record.Kind]);
        }
    }

    /// <summary>A silo is about to die.</summary>
    public void Crashing(SimulatedNode node)
    {
        foreach (var owner in node.Engine.Partitions.All) Interrupted(StateEvent.OwnerDied, node, owner);
        foreach (var transaction in node.Engine.Transactions.All)
        {
            if (transaction.Agent is { } agent)
                Features.Reach(new ProtocolState(StateEvent.AgentDied) { Agent = StandingOf(agent) }, default, 0);
        }
    }

    /// <summary>A partition is about to be given to another node.</summary>
    public void Moving(int unit, SimulatedNode? from)
    {
        if (from is not { IsAlive: true } || cluster.Accounts.IsRow(unit)
            || from.Engine.Partitions.Owner(unit) is not { } owner)
            return;
        Interrupted(StateEvent.OwnerDeposed, from, owner);
    }

    private static void Count(int[] counts, ulong kinds)
    {
        for (; kinds != 0; kinds &= kinds - 1) counts[BitOperations.TrailingZeroCount(kinds)]++;
    }

    private void Interrupted(StateEvent what, SimulatedNode node, PartitionOwner owner)
    {
        foreach (var branch in owner.Branches) Features.Reach(Of(what, node, owner, branch.Id), default, 0);
    }

    private void Arriving(SimulatedNode node, in Message message)
    {
        var step = ProtocolStep.Of(message.Kind);
        var nth = _handled[(int)message.Kind];
        if (message.Transaction == default)
        {
            Features.Reach(
                new ProtocolState(StateEvent.Arrived) { Kind = (int)message.Kind, Says = message.Flags & Outcomes },
                step,
                nth);
            return;
        }

        var owner = OwnerOf(node, message.Partition);
        var state = Of(StateEvent.Arrived, node, owner, message.Transaction) with { Kind = (int)message.Kind };
        var full = state with
        {
            Says = message.Flags & Outcomes,
            ManagerEpoch = owner is null || message.Manager != message.Partition
                ? EpochRelation.None
                : Relation(message.ManagerEpoch, owner.Epoch),
            IsDeposed = owner is { IsRow: false } && cluster.OwnerOf(owner.Partition) != node,
        };
        Features.Reach(full, step, nth);

        // What came before it says by which way the state was reached.
        var key = (message.Transaction, node.Id, message.Partition);
        ref var last = ref CollectionsMarshal.GetValueRefOrAddDefault(_lastAt, key, out _);
        Features.Reach(
            new ProtocolState(StateEvent.Followed) { Kind = state.Kind, After = last, Branch = state.Branch }, step,
            nth);
        last = (int)message.Kind + 1;
    }

    private ProtocolState Of(StateEvent what, SimulatedNode node, PartitionOwner? owner, TransactionId id) => new(what)
    {
        Branch = owner is null ? null : node.Engine.Transactions.Find(id)?.BranchAt(owner)?.State,
        Decision = owner is null ? null : DecisionOf(owner, id),
        Agent = AgentOf(id),
    };

    private AgentStanding AgentOf(TransactionId id)
    {
        if (cluster.Find(id.Node) is not { IsAlive: true } node) return AgentStanding.Dead;
        return node.Engine.Transactions.Find(id)?.Agent is { } agent ? StandingOf(agent) : AgentStanding.Unknown;
    }

    private static AgentStanding StandingOf(AgentTransaction agent) => agent.State switch
    {
        AgentState.Running => AgentStanding.Running,
        AgentState.Preparing => AgentStanding.Preparing,
        AgentState.Sealed => AgentStanding.Sealed,
        AgentState.Aborting => AgentStanding.Aborting,
        _ => AgentStanding.Done,
    };

    // Taps and nodes number rows each for themselves.
    private static PartitionOwner? OwnerOf(SimulatedNode node, int partition)
    {
        if (WireTap.Names.TryGetKey(partition, out var key))
            return node.Engine.Partitions.Owner(node.Engine.Names.NumberOf(key));
        return partition >= 0 && !PartitionNames.IsRow(partition) ? node.Engine.Partitions.Owner(partition) : null;
    }

    private static DecisionState? DecisionOf(PartitionOwner owner, TransactionId id)
    {
        foreach (var decision in owner.Decisions)
        {
            if (decision.Id == id) return decision.State;
        }

        return null;
    }

    private static EpochRelation Relation(long said, long own) =>
        said == 0
            ? EpochRelation.None
            : said < own ? EpochRelation.Older : said == own ? EpochRelation.Same : EpochRelation.Newer;
}
