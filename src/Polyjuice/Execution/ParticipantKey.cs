namespace Polyjuice.Execution;

/// <summary>Names one transactional state of one grain, the same on every silo and in the logs.</summary>
/// <param name="Grain">The grain's identity as text, type and key ("AccountGrain/42").</param>
/// <param name="State">The state's name within the grain ("checking").</param>
/// <param name="GrainClass">The grain's class; with <paramref name="State"/> it names what access sites are about.</param>
public sealed record ParticipantKey(string Grain, string State, string GrainClass);
