using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>The service has answered, or broken.</summary>
/// <param name="Id">The attempt.</param>
/// <param name="Agrees">Whether it may commit.</param>
internal readonly record struct FinalStepAnswered(TransactionId Id, bool Agrees);
