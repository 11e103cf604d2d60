using Polyjuice.Embedded.Core;
using Polyjuice.Simulation.Network;
using Polyjuice.Storage;

namespace Polyjuice.Embedded.Simulated;

/// <summary>Nodes in a simulated world: each with a view of its own of the others, and each message on its own way.</summary>
internal sealed class SimulatedPlatform : NodePlatform
{
    private readonly SimulatedWorld _world;
    private readonly int _partitions;

    public SimulatedPlatform(SimulatedWorld world, int partitions)
    {
        _world = world;
        _partitions = partitions;
        var random = world.Random.Fork(3);
        world.Network.Hook = message => Judge(message, random.Chance(world.Network.Profile.Loss), random.Chance(world.Network.Profile.Duplication));
    }

    /// <inheritdoc/>
    public override NodeLoop CreateLoop(Node node, Action flush)
    {
        var skew = _world.Options.ClockSkewMax;
        return new SimulatedLoop(_world, node, flush, skew == 0 ? 0 : _world.Random.Between(-skew, skew));
    }

    /// <inheritdoc/>
    public override ClusterDirectory DirectoryOf(Node node) => new(_partitions);

    /// <inheritdoc/>
    public override ILogStore LogsOf(Node node) => _world.Logs.For((SimulatedLoop)node.Loop);

    /// <inheritdoc/>
    public override void Deliver(MessageBuffer buffer)
    {
        for (var position = 0; position < buffer.Count;)
        {
            var parcel = new Parcel(buffer.ReadMessage(ref position).ToArray());
            _world.Network.Send(parcel.Address(buffer.Source, buffer.Destination.Id));
        }

        buffer.Return();
    }

    private MessageFate Judge(NetworkMessage message, bool isLost, bool isDoubled)
    {
        if (isLost)
        {
            _world.Counts.MessagesLost++;
            return MessageFate.Drop;
        }

        if (!isDoubled || ((Parcel)message.Content!).IsOnce) return MessageFate.Deliver;
        _world.Counts.MessagesDoubled++;
        return MessageFate.Duplicate;
    }
}
