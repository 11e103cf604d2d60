using Orleans.Runtime;
using Polyjuice.Contracts;

namespace Polyjuice.Orleans.Silos;

/// <summary>Which silo this is, to Orleans and to engines. Immutable.</summary>
internal sealed class SiloIdentity(SiloAddress silo)
{
    /// <summary>This silo.</summary>
    public SiloAddress Silo { get; } = silo;

    /// <summary>Its first engine's node, by which all that there is one of for each silo goes.</summary>
    public NodeId Node { get; } = NodeIds.Of(silo);

    /// <summary>For who asks too early.</summary>
    public InvalidOperationException NotOpen() => new($"{Silo} has not opened its transaction logs yet.");
}
