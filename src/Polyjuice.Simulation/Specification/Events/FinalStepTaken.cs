using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>A manager asks the service that is an attempt's final step.</summary>
/// <param name="Node">The owner.</param>
/// <param name="Partition">Its partition.</param>
/// <param name="Epoch">Its epoch.</param>
/// <param name="Id">The attempt.</param>
internal readonly record struct FinalStepTaken(NodeId Node, int Partition, long Epoch, TransactionId Id);
