using Polyjuice.Isolation;
using Polyjuice.Simulation.Events;

namespace Polyjuice.Simulation.Runs;

/// <summary>
/// Runs one case on some host, as <see cref="Simulator.Run"/> does on
/// the engine alone: to its end, on the calling thread, and judges it.
/// </summary>
/// <param name="run">What to run.</param>
/// <param name="trace">Whether a failure tells everything that happened; slow.</param>
/// <param name="keep">Gets the history, if the run has one and comes that far.</param>
/// <exception cref="SimulationFailedException">An invariant is broken.</exception>
internal delegate RunResult RunExecution(RunCase run, bool trace = false, Action<History>? keep = null);
