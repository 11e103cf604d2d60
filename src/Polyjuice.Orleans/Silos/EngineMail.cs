using Polyjuice.Contracts;
using Polyjuice.Orleans.Turns;

namespace Polyjuice.Orleans.Silos;

/// <summary>Batches that an engine sends, to its silo's engines and to those of others. Thread-safe.</summary>
internal sealed class EngineMail(
    EngineIdentity self, EngineTurn turn, SiloMail here, SiloServices silo, GrainPlaces places)
{
    private List<(NodeId Destination, byte[] Batch)> _outgoing = [];

    /// <summary>Something is to be sent once the turn is over. On the turn.</summary>
    public void Add(NodeId destination, ReadOnlySpan<byte> batch) => _outgoing.Add((destination, batch.ToArray()));

    /// <summary>
    /// Sends what is to be sent. Off the turn: a grain call costs some microseconds that nobody need wait for, and
    /// another engine of the silo takes its batch on its own turn.
    /// </summary>
    public void Deliver()
    {
        List<(NodeId Destination, byte[] Batch)> outgoing;
        if (Volatile.Read(ref _outgoing).Count == 0) return;
        using (turn.Enter())
        {
            outgoing = _outgoing;
            _outgoing = [];
        }

        foreach (var (destination, batch) in outgoing)
        {
            if (here.Deliver(destination, self.Node, batch)) continue;
            if (places.View.SiloOf(destination) is { } address)
                silo.Link.Send(address, destination, self.Node, batch);
        }
    }
}
