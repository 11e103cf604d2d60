using Polyjuice.Simulation.Specification.Events;

namespace Polyjuice.Simulation.Specification.State;

/// <summary>The final step of an attempt, which is being taken or was.</summary>
/// <param name="Taken">Who takes it.</param>
/// <param name="Agrees">What the service has answered, once it has.</param>
internal sealed record FinalStepModel(FinalStepTaken Taken, bool? Agrees);
