using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Cli.Checking;

/// <summary>What came of a check.</summary>
/// <param name="Summary">The runs that passed.</param>
/// <param name="Failure">The failing run of the least number, and why.</param>
/// <param name="WasCancelled">Whether somebody stopped it.</param>
/// <param name="Elapsed">By the wall clock.</param>
/// <param name="Processor">Processor time.</param>
internal sealed record CheckResult(
    RunSummary Summary, CheckFailure? Failure, bool WasCancelled, TimeSpan Elapsed, TimeSpan Processor);

/// <summary>A run that failed.</summary>
/// <param name="Number">Which one, from 0.</param>
/// <param name="Case">The run.</param>
/// <param name="Why">What broke.</param>
internal sealed record CheckFailure(int Number, RunCase Case, SimulationFailedException Why);
