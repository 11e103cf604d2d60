using Polyjuice.Embedded.Core;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Network;
using Polyjuice.Hosting;
using Polyjuice.Storage;

namespace Polyjuice.Embedded.Simulated;

/// <summary>Nodes in a simulated world: each with a view of its own of the others, and each message on its own way.</summary>
internal sealed class SimulatedPlatform : NodePlatform
{
    private readonly SimulatedWorld _world;
    private readonly int _partitions;
    private readonly SimulationRandom _random;

    public SimulatedPlatform(SimulatedWorld world, int partitions)
    {
        _world = world;
        _partitions = partitions;
        _random = world.Random.Fork(3);
        world.Network.Hook = Judge;
    }

    /// <inheritdoc/>
    public override NodeLoop CreateLoop(Node node, Action flush, Func<bool> hasUrgentMail)
    {
        var skew = _world.Options.ClockSkewMax;
        return new SimulatedLoop(_world, node, flush, skew > 0 && _world.Faults.TryEnter(FaultKinds.ClockSkew) ? _random.Between(-skew, skew) : 0);
    }

    /// <inheritdoc/>
    public override ClusterDirectory DirectoryOf(Node node) => new(_partitions);

    /// <inheritdoc/>
    public override ILogStore LogsOf(Node node) => _world.Logs.For((SimulatedLoop)node.Loop);

    /// <inheritdoc/>
    /// <remarks>There is one thread, and what takes long takes virtual time.</remarks>
    public override Task RunInBackground(Func<Task> work) => work();

    /// <inheritdoc/>
    public override Task RunBeside(Func<Task> work) => work();

    /// <inheritdoc/>
    /// <remarks>No silo can tell here: its view of the others may be stale.</remarks>
    public override bool IsGone(NodeId node) => false;

    /// <inheritdoc/>
    public override void Deliver(MessageBuffer buffer)
    {
        var sender = _world.Find(buffer.Source);
        for (var position = 0; position < buffer.Count;)
        {
            if (!sender.Loop.IsStopped && !((SimulatedLoop)sender.Loop).MaySend()) _world.Kill((Silo)sender);
            if (sender.Loop.IsStopped) break;
            var parcel = new Parcel(buffer.ReadMessage(ref position).ToArray());
            _world.Network.Send(parcel.Address(buffer.Source, buffer.Destination.Id));
        }

        buffer.Return();
    }

    private MessageFate Judge(NetworkMessage message)
    {
        if (!((Parcel)message.Content!).IsOnce) return MessageFate.Usual;
        return _random.Chance(_world.Network.Profile.Loss) && _world.Faults.TryEnter(FaultKinds.Loss) ? MessageFate.Drop : MessageFate.Deliver;
    }
}
