using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Storage;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.Tracing;

/// <summary>
/// The trace of a run: what the engines of all nodes tell of the protocol's steps (<see cref="NodeTrace"/>), and what
/// is seen of their logs from outside, one after the other, as it happens. The specification takes each event; when it
/// refuses one, the run fails at its next event, because nothing may be thrown through an engine.
/// </summary>
internal sealed class ProtocolTrace(SimulatedCluster cluster)
{
    private readonly Dictionary<BatchId, IReadOnlyList<LoggedRecord>> _records = [];

    /// <summary>What takes the events.</summary>
    public ProtocolSpecification Specification { get; } = new();

    /// <summary>The event that was refused, and why; nothing is taken after it.</summary>
    public SimulationFailedException? Rejection { get; private set; }

    /// <summary>Whether events of a node count: it lives, and nothing was refused.</summary>
    public bool Takes(SimulatedNode node) => Rejection is null && node.IsAlive;

    /// <summary>An event was refused.</summary>
    public void Reject(SimulationFailedException rejection)
    {
        if (Rejection is not null) return;
        Rejection = rejection;
        cluster.TraceLine(() => $"REFUSED {rejection.Message}");
        cluster.Fail(rejection);
    }

    /// <summary>A node asks for an append.</summary>
    public void Asked(
        SimulatedNode node, int partition, long position, BatchId batch, BatchId? behind, ReadOnlySpan<byte> bytes)
    {
        if (!Takes(node)) return;
        if (!_records.TryGetValue(batch, out var records)) _records.Add(batch, records = RecordReader.Read(bytes));
        try
        {
            Specification.Accept(new AppendAsked(node.Id, partition, position, batch, behind, records));
        }
        catch (SimulationFailedException rejection)
        {
            Reject(rejection);
        }
    }

    /// <summary>A batch is in its log.</summary>
    public void Written(AppendRequest request)
    {
        if (Rejection is not null) return;
        if (!_records.Remove(request.BatchId, out var records)) records = RecordReader.Read(request.Bytes);
        try
        {
            Specification.Accept(new BatchWritten(request.Partition, request.Position, request.BatchId, records));
        }
        catch (SimulationFailedException rejection)
        {
            Reject(rejection);
        }
    }

    /// <summary>A row is stored.</summary>
    public void Written(in RowWritten e)
    {
        if (Rejection is not null) return;
        try
        {
            Specification.Accept(e);
        }
        catch (SimulationFailedException rejection)
        {
            Reject(rejection);
        }
    }

    /// <summary>A node has done all that there was to do.</summary>
    public void Flushed(SimulatedNode node)
    {
        if (!Takes(node)) return;
        try
        {
            Specification.Accept(new TurnEnded(node.Id));
        }
        catch (SimulationFailedException rejection)
        {
            Reject(rejection);
        }
    }

    /// <summary>A body says that its attempt has a final step.</summary>
    public void StepExpected(TransactionId id)
    {
        if (Rejection is null) Specification.Accept(new FinalStepExpected(id));
    }

    /// <summary>A manager takes it.</summary>
    public void StepTaken(SimulatedNode node, PartitionOwner manager, TransactionId id)
    {
        if (!Takes(node)) return;
        try
        {
            Specification.Accept(new FinalStepTaken(node.Id, NumberOf(node, manager.Partition), manager.Epoch, id));
        }
        catch (SimulationFailedException rejection)
        {
            Reject(rejection);
        }
    }

    /// <summary>The service answers.</summary>
    public void StepAnswered(TransactionId id, bool agrees)
    {
        if (Rejection is null) Specification.Accept(new FinalStepAnswered(id, agrees));
    }

    /// <summary>Rows by the numbers of taps, because each engine has its own.</summary>
    public static int NumberOf(SimulatedNode node, int partition) =>
        PartitionNames.IsRow(partition) && node.Engine.Names.TryGetKey(partition, out var key)
            ? WireTap.Names.NumberOf(key)
            : partition;

    /// <summary>A node has crashed.</summary>
    public void Crashed(NodeId node) => Specification.Accept(new NodeDied(node));

    /// <summary>A node is told that another is dead.</summary>
    public void DeathHeard(NodeId node, NodeId dead) => Specification.Accept(new DeathHeard(node, dead));

    /// <summary>Others are told that a node is dead.</summary>
    public void DeclaredDead(NodeId node) => Specification.Accept(new NodeDeclaredDead(node));
}
