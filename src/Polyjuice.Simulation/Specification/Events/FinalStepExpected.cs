using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>
/// A body says that its attempt ends with a final step: a service that can't prepare, and is asked last of all.
/// </summary>
/// <param name="Id">The attempt.</param>
internal readonly record struct FinalStepExpected(TransactionId Id);
