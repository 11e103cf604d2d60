using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Specification;

namespace Polyjuice.Simulation.Canaries;

/// <summary>
/// In how many seeds the lack of a rule is noticed: by the specification,
/// which refuses an event, and by all else, which sees an anomaly.
/// </summary>
/// <param name="Seeds">How many were run.</param>
/// <param name="Refused">How many the specification refused.</param>
/// <param name="FirstRefused">The first of those, counted from 1; 0 when there is none.</param>
/// <param name="Rules">The rules that it named, those first that it named most.</param>
/// <param name="Anomalous">How many were found by all else, without the specification.</param>
/// <param name="FirstAnomalous">The first of those, counted from 1; 0 when there is none.</param>
internal sealed record CanaryComparison(
    int Seeds, int Refused, ulong FirstRefused, IReadOnlyList<string> Rules, int Anomalous, ulong FirstAnomalous)
{
    /// <summary>Runs each seed from 1 on twice.</summary>
    public static CanaryComparison Run(Canary canary, int seeds, CancellationToken cancellation = default)
    {
        var (refused, anomalous, run) = (0, 0, 0);
        var (firstRefused, firstAnomalous) = (0UL, 0UL);
        var rules = new Dictionary<string, int>(StringComparer.Ordinal);
        for (var seed = 1UL; seed <= (ulong)seeds && !cancellation.IsCancellationRequested; seed++)
        {
            run++;
            if (Failure(canary.Case with { Seed = seed }) is { } refusal
                && refusal.Kind.StartsWith(Rejected.Kind, StringComparison.Ordinal))
            {
                if (refused++ == 0) firstRefused = seed;
                var rule = refusal.Kind[(Rejected.Kind.Length + 1)..];
                rules[rule] = rules.GetValueOrDefault(rule) + 1;
            }

            if (Failure(canary.Case with { Seed = seed, Specified = false }) is not null && anomalous++ == 0)
                firstAnomalous = seed;
        }

        return new CanaryComparison(
            run,
            refused,
            firstRefused,
            [
                .. rules.OrderByDescending(rule => rule.Value).ThenBy(rule => rule.Key, StringComparer.Ordinal)
                .Select(rule => rule.Key)
            ],
            anomalous,
            firstAnomalous);
    }

    private static SimulationFailedException? Failure(RunCase run)
    {
        try
        {
            Simulator.Run(run);
            return null;
        }
        catch (SimulationFailedException failure)
        {
            return failure;
        }
    }
}
