using System.Net;
using Orleans.Runtime;
using Polyjuice.Contracts;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// Which nodes a silo's engines are: the silo's generation (the second of its start, since an epoch of Orleans') above
/// 29 bits of a stable hash of its endpoint, the last 4 of which an engine's number changes. So the first engine's node
/// is what the silo's node was when a silo had one engine. A silo that restarts has another generation, so its engines
/// are other nodes; logs that outlive a cluster name nodes of earlier ones without confusion. It all fits into 60 bits,
/// which is what a row has room for.
/// </summary>
internal static class NodeIds
{
    /// <summary>The most engines that a silo can have.</summary>
    public const int EnginesMax = 1 << EngineBits;

    private const int HashBits = 29;
    private const int EngineBits = 4;
    private const long UnknownIsGoneSeconds = 600;

    /// <summary>The node of a silo's engine.</summary>
    /// <param name="silo">The silo.</param>
    /// <param name="engine">The engine's number, below <see cref="EnginesMax"/>; the first one's by default.</param>
    public static NodeId Of(SiloAddress silo, int engine = 0)
    {
        var endpoint = new IPEndPoint(silo.Endpoint.Address, silo.Endpoint.Port).ToString();
        var hash = (long)(StableHash.Of(endpoint) & ((1UL << HashBits) - 1));
        return Of(new NodeId(((long)(silo.Generation & int.MaxValue) << HashBits) | hash), engine);
    }

    /// <summary>The node of an engine, by that of the first engine of its silo.</summary>
    public static NodeId Of(NodeId first, int engine) => new(first.Value ^ engine);

    /// <summary>The nodes of all engines that a silo may have had.</summary>
    public static IEnumerable<NodeId> AllOf(SiloAddress silo)
    {
        var first = Of(silo);
        return Enumerable.Range(0, EnginesMax).Select(engine => Of(first, engine));
    }

    /// <summary>What the nodes of one silo's engines have in common.</summary>
    public static long SiloOf(NodeId node) => node.Value >> EngineBits;

    /// <summary>Which of its silo's engines a node is.</summary>
    /// <param name="node">The node.</param>
    /// <param name="first">The node of the first engine of the same silo.</param>
    public static int EngineOf(NodeId node, NodeId first) => (int)(node.Value ^ first.Value);

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
