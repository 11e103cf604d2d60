using Polyjuice.Wire;

namespace Polyjuice.Versions;

/// <summary>A prepare that waits for the version it was built on to be ordered.</summary>
internal sealed class ParkedPrepare(in Message prepare)
{
    public readonly Message Prepare = prepare;

    /// <summary>The edge of the wait graph, once it is entered there.</summary>
    public WaitEdge? Wait;
}
