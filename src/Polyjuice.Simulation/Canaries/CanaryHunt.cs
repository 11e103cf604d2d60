using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Canaries;

/// <summary>Where a canary was found.</summary>
/// <param name="Seed">The first seed that shows it, of those from 1.</param>
/// <param name="Kind">Which invariant broke.</param>
/// <param name="Message">How.</param>
public sealed record CanarySighting(ulong Seed, string Kind, string Message);

/// <summary>Runs seeds without a rule until that shows.</summary>
public static class CanaryHunt
{
    /// <summary>Runs seeds from 1; <see langword="null"/> when none of them shows it.</summary>
    public static CanarySighting? Run(Canary canary, int seedsMax, CancellationToken cancellation = default)
    {
        for (var seed = 1UL; seed <= (ulong)seedsMax && !cancellation.IsCancellationRequested; seed++)
        {
            try
            {
                Simulator.Run(canary.Case with { Seed = seed });
            }
            catch (SimulationFailedException e)
            {
                return new CanarySighting(seed, e.Kind, e.Message);
            }
        }

        return null;
    }
}
