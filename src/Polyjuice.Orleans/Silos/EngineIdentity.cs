using Orleans.Runtime;
using Polyjuice.Contracts;

namespace Polyjuice.Orleans.Silos;

/// <summary>Which of its silo's engines one is. Immutable.</summary>
/// <param name="silo">The silo.</param>
/// <param name="number">The engine's number there, from 0.</param>
internal sealed class EngineIdentity(SiloIdentity silo, int number)
{
    /// <summary>The silo.</summary>
    public SiloAddress Silo => silo.Silo;

    /// <summary>The engine's number there.</summary>
    public int Number => number;

    /// <summary>The engine as a node.</summary>
    public NodeId Node { get; } = NodeIds.Of(silo.Silo, number);

    /// <inheritdoc cref="SiloIdentity.NotOpen"/>
    public InvalidOperationException NotOpen() => silo.NotOpen();

    /// <summary>The engine's name for people: the silo's, and its number unless it is the first.</summary>
    public override string ToString() => number == 0 ? Silo.ToString() : $"{Silo}/{number}";
}
