using Polyjuice.Isolation;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Simulation.Runs;

/// <summary>Runs cases.</summary>
internal static class Simulator
{
    /// <summary>Runs one case to its end and judges it. Everything happens on the calling thread.</summary>
    /// <param name="run">What to run.</param>
    /// <param name="trace">Whether a failure tells everything that happened; slow.</param>
    /// <param name="keep">Gets the history, if the run comes that far.</param>
    /// <exception cref="SimulationFailedException">An invariant is broken.</exception>
    public static RunResult Run(RunCase run, bool trace = false, Action<History>? keep = null) => 
        SimulatedRun.Execute(Shapes.Of(run, trace).On(run.Storage, run.Seed, run.StorageMade), run.Seed, keep: keep);
}
