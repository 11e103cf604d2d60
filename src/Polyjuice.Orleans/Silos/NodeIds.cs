using System.Net;
using Orleans.Runtime;
using Polyjuice.Contracts;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// Which engine node a silo is: its generation (the second of its start, since an epoch of Orleans') above 29 bits of a
/// stable hash of its endpoint. A silo that restarts has another generation, so it is another node; logs that outlive a
/// cluster name nodes of earlier ones without confusion. It all fits into 60 bits, which is what a row has room for.
/// </summary>
internal static class NodeIds
{
    private const int HashBits = 29;
    private const long UnknownIsGoneSeconds = 600;

    /// <summary>The node of a silo.</summary>
    public static NodeId Of(SiloAddress silo)
    {
        var endpoint = new IPEndPoint(silo.Endpoint.Address, silo.Endpoint.Port).ToString();
        return new(
            ((long)(silo.Generation & int.MaxValue) << HashBits) | (long)(StableHash.Of(
                endpoint) & ((1UL << HashBits) - 1)));
    }

    /// <summary>When a node's silo started, by its own clock, in seconds.</summary>
    public static long StartedAt(NodeId node) => node.Value >> HashBits;

    /// <summary>
    /// Whether a node that membership does not know is gone: it started so long ago that it would have joined by now.
    /// </summary>
    /// <param name="node">The node.</param>
    /// <param name="self">One that is known.</param>
    /// <param name="age">How long ago that one started.</param>
    public static bool IsOver(NodeId node, NodeId self, TimeSpan age) =>
        StartedAt(node) < StartedAt(self) + (long)age.TotalSeconds - UnknownIsGoneSeconds;
}
