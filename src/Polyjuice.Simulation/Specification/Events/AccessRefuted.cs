using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>An access of an attempt that runs can not commit any more (resumption).</summary>
/// <param name="Node">Where.</param>
/// <param name="Id">The attempt.</param>
/// <param name="Number">Its number: neither it nor what came after it holds.</param>
internal readonly record struct AccessRefuted(NodeId Node, TransactionId Id, int Number);
