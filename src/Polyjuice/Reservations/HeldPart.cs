namespace Polyjuice.Reservations;

/// <summary>A part of a plan, of which the agent is told when it is held.</summary>
/// <param name="From">Its first entry.</param>
/// <param name="To">The one after its last.</param>
/// <param name="Generation">
/// How often the attempt had given way when its agent sent this (<see cref="Reserving.Generation"/>).
/// </param>
/// <param name="Waits">How much of it was not held at once.</param>
/// <param name="HasGap">
/// Whether something of it is not held, because nobody is known to serve it: it is not waited for, and the attempt
/// keeps to no order then.
/// </param>
internal readonly record struct HeldPart(int From, int To, int Generation, int Waits, bool HasGap = false);
