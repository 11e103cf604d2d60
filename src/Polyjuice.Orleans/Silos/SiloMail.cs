using Polyjuice.Contracts;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// Where batches arrive that are for an engine of this silo: from other silos, and from its other engines, whose
/// batches are handed over as they are. Thread-safe; off any turn, so that no thread ever waits on one turn for
/// another.
/// </summary>
/// <param name="self">This silo.</param>
internal sealed class SiloMail(SiloIdentity self)
{
    private EngineInbox[] _inboxes = [];

    /// <summary>An engine more, the next by number. Before the silo starts.</summary>
    public void Add(EngineInbox inbox) => _inboxes = [.. _inboxes, inbox];

    /// <summary>Hands a batch to the engine that it is for.</summary>
    /// <param name="destination">Whose it is.</param>
    /// <param name="source">Who sends it.</param>
    /// <param name="batch">The engine's bytes. They do not change afterwards.</param>
    /// <returns>
    /// Whether it is for an engine of this silo, also one that it does not have: such a batch is lost.
    /// </returns>
    public bool Deliver(NodeId destination, NodeId source, byte[] batch)
    {
        if (NodeIds.SiloOf(destination) != NodeIds.SiloOf(self.Node)) return false;
        var number = NodeIds.EngineOf(destination, self.Node);
        if (number < _inboxes.Length) _inboxes[number].Receive(source, batch);
        return true;
    }
}
