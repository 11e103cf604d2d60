using Polyjuice.Hosting;

namespace Polyjuice.Embedded.Core;

/// <summary>Where a request comes from, whoever sends it on.</summary>
/// <param name="Node">Who waits for the answer.</param>
/// <param name="Correlation">The call's number there; 0 when nobody waits.</param>
/// <param name="IsNew">It comes from a client and belongs to no transaction: new work.</param>
/// <param name="Hops">How often it was sent on before it ran.</param>
internal readonly record struct RequestOrigin(NodeId Node, long Correlation, bool IsNew, byte Hops)
{
    /// <summary>Views of who owns what may be stale, but not so many of them in a row.</summary>
    public const byte HopsMax = 8;

    /// <summary>Where the hops are in a message: behind its kind and flags, so that a relay need not read the rest.</summary>
    public const int HopsOffset = 2;
}
