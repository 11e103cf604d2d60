using System.Net;
using Orleans.Runtime;
using Polyjuice.Hosting;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// Which engine node a silo is: its generation (seconds since 2010, in the upper half) and a stable hash of its endpoint. A silo that restarts has another generation, so it is
/// another node; logs that outlive a cluster name nodes of earlier ones without confusion.
/// </summary>
internal static class NodeIds
{
    /// <summary>The node of a silo.</summary>
    public static NodeId Of(SiloAddress silo)
    {
        var endpoint = new IPEndPoint(silo.Endpoint.Address, silo.Endpoint.Port).ToString();
        return new(((long)(silo.Generation & int.MaxValue) << 32) | (uint)StableHash.Of(endpoint));
    }

    /// <summary>When a node's silo started, by its own clock: seconds since 2010.</summary>
    public static long StartedAt(NodeId node) => node.Value >> 32;
}
