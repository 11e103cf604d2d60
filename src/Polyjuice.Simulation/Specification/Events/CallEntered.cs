using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>A call from another silo begins to run (R1c).</summary>
/// <param name="Node">Where.</param>
/// <param name="Id">The attempt.</param>
/// <param name="Caller">The silo that calls.</param>
/// <param name="CallId">The call's number there.</param>
internal readonly record struct CallEntered(NodeId Node, TransactionId Id, NodeId Caller, long CallId);
