using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;

namespace Polyjuice.Testing;

/// <summary>One end of a connection, as long as it lives.</summary>
/// <param name="Own">The node whose end it is.</param>
/// <param name="Other">The node at the other end, as far as this end knows it: the one that connects does.</param>
/// <param name="Context">The connection.</param>
internal sealed record NetworkConnection(NetworkNode Own, NetworkNode? Other, ConnectionContext Context)
{
    public bool Touches(NetworkNode node) => ReferenceEquals(Own, node) || ReferenceEquals(Other, node);

    /// <summary>What those hear who use one that was cut.</summary>
    public static ConnectionAbortedException Severed() => new("The connection has been severed (a fault of the test).");

    public void Abort()
    {
        try
        {
            Context.Abort(Severed());
        }
        catch (ObjectDisposedException)
        {
            // It has just ended by itself.
        }
    }

    /// <summary>A connection's two directions.</summary>
    internal sealed class Duplex(PipeReader input, PipeWriter output) : IDuplexPipe
    {
        public PipeReader Input => input;

        public PipeWriter Output => output;
    }
}
