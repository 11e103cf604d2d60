using Microsoft.Extensions.Logging;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Turns;
using Polyjuice.Wire;

namespace Polyjuice.Orleans.Silos;

/// <summary>Takes what other engines send to one, of this silo or of others. Thread-safe; off any turn.</summary>
internal sealed class EngineInbox(EngineTurn turn, EngineLife life, ILogger logger)
{
    /// <summary>Takes a batch.</summary>
    /// <param name="source">Who sends it.</param>
    /// <param name="batch">The engine's bytes.</param>
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
}
