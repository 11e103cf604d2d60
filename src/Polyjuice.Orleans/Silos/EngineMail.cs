using Microsoft.Extensions.Logging;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Turns;
using Polyjuice.Wire;

namespace Polyjuice.Orleans.Silos;

/// <summary>Batches between this silo's engine and those of the cluster. Thread-safe.</summary>
internal sealed class EngineMail(
    SiloIdentity self, EngineTurn turn, EngineLife life, SiloServices silo, GrainPlaces places, ILogger logger)
{
    private List<(NodeId Destination, byte[] Batch)> _outgoing = [];

    /// <summary>Something is to be sent once the turn is over. On the turn.</summary>
    public void Add(NodeId destination, ReadOnlySpan<byte> batch) => _outgoing.Add((destination, batch.ToArray()));

    /// <summary>Takes what another silo's engine has sent.</summary>
    public void Receive(NodeId source, byte[] batch)
    {
        if (life.Running is not { } engine) return;
        try
        {
            using (turn.Enter()) engine.Receive(source, batch);
        }
        catch (CodingException exception)
        {
            HostLog.MessageFailed(logger, exception, source);
        }
    }

    /// <summary>
    /// Sends what is to be sent. Off the turn: a grain call costs some microseconds that nobody need wait for.
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
            if (destination == self.Node) Receive(self.Node, batch);
            else if (places.View.SiloOf(destination) is { } address) silo.Link.Send(address, self.Node, batch);
        }
    }
}
