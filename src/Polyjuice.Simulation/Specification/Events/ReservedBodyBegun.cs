using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>The body of an attempt that has reserved begins (Q4).</summary>
/// <param name="Node">The agent.</param>
/// <param name="Id">The attempt.</param>
/// <param name="IsCutShort">Whether it goes on without what it does not hold.</param>
internal readonly record struct ReservedBodyBegun(NodeId Node, TransactionId Id, bool IsCutShort);
