namespace Polyjuice.Training.Replay;

/// <summary>
/// One grain call of a replayed transaction: where its body runs and what that does. Immutable, shared by replays.
/// </summary>
/// <param name="Method">Its place in <see cref="ReplayWorkload.Methods"/>.</param>
/// <param name="Silo">Where it runs, from 0.</param>
/// <param name="Steps">What its body does, one after the other.</param>
internal sealed record ReplayCall(int Method, int Silo, ReplayStep[] Steps);

/// <summary>
/// One step of a body: an access to a state of its own grain, or calls that it makes and awaits together.
/// </summary>
/// <param name="Participant">What is accessed; −1 for calls.</param>
/// <param name="IsUpdate">Whether it is updated.</param>
/// <param name="ComputeMicroseconds">What the body computes for it, by the trace.</param>
/// <param name="Calls">The calls; several run in parallel.</param>
internal readonly record struct ReplayStep(
    int Participant, bool IsUpdate, int ComputeMicroseconds, ReplayCall[]? Calls = null);

/// <summary>One replayed transaction.</summary>
/// <param name="Type">Its place in <see cref="ReplayWorkload.Types"/>.</param>
/// <param name="IsReadOnly">Whether it is declared to read only.</param>
/// <param name="IsRefused">Whether its body throws at the end, as the recorded one did.</param>
/// <param name="Root">Its root call.</param>
internal sealed record ReplayProgram(int Type, bool IsReadOnly, bool IsRefused, ReplayCall Root);
