namespace Polyjuice.Contracts;

/// <summary>
/// An invariant of the protocol does not hold: a bug in the engine, or a log that another program changed. The engine
/// stops rather than guess.
/// </summary>
internal sealed class InvariantException(string message) : Exception(message);
