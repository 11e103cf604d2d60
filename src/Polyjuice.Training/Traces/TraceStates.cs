namespace Polyjuice.Training.Traces;

/// <summary>The states of a trace.</summary>
/// <param name="PeriodMicroseconds">How far apart the starts of windows are; 0 if there is none.</param>
/// <param name="All">In the order of time.</param>
internal sealed record TraceStates(long PeriodMicroseconds, TraceState[] All);
