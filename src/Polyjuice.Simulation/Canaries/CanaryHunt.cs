using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Hunts;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Canaries;

/// <summary>Where a canary was found.</summary>
/// <param name="Runs">How many runs the hunt took, the last of which shows it.</param>
/// <param name="Case">The run that shows it.</param>
/// <param name="Kind">Which invariant broke.</param>
/// <param name="Message">How.</param>
internal sealed record CanarySighting(int Runs, RunCase Case, string Kind, string Message);

/// <summary>Runs cases without a rule until that shows.</summary>
internal static class CanaryHunt
{
    /// <summary>
    /// Hunts from a start; <see langword="null"/> when no run shows it. Of the canary, a guided hunt knows the family
    /// that suits it, of which half of its fresh cases are, and what runs are kept on; one that is not guided runs the
    /// seeds of that family.
    /// </summary>
    /// <param name="canary">Whose rule is removed.</param>
    /// <param name="start">Of the hunt; the same finds the same.</param>
    /// <param name="runsMax">It ends after so many runs.</param>
    /// <param name="isGuided">Whether what runs have reached guides the choice of later ones.</param>
    /// <param name="cancellation">Ends it between two runs.</param>
    public static CanarySighting? Run(
        Canary canary, ulong start, int runsMax, bool isGuided = true, CancellationToken cancellation = default)
    {
        var hunt = isGuided ? new Hunt(start, canary.Case with { Probes = true }, Shapes.Hard, canary.Shape) : null;
        for (var count = 1; count <= runsMax && !cancellation.IsCancellationRequested; count++)
        {
            var number = count - 1;
            var run = hunt is null ? canary.Case with { Seed = start + (ulong)number } : hunt.Next(out number);
            try
            {
                var result = Simulator.Run(run);
                hunt?.Report(number, run, result.Features);
            }
            catch (SimulationFailedException e)
            {
                return new CanarySighting(count, run, e.Kind, e.Message);
            }
        }

        return null;
    }
}
