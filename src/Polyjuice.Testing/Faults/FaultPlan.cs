namespace Polyjuice.Testing;

/// <summary>A fault of a plan.</summary>
/// <param name="At">When it begins, from the script's begin on.</param>
/// <param name="Kind">What it is.</param>
/// <param name="Duration">How long it lasts.</param>
/// <param name="Choice">Draws the silos that it befalls from those that run then.</param>
internal readonly record struct PlannedFault(TimeSpan At, FaultKind Kind, TimeSpan Duration, int Choice);

/// <summary>
/// Draws a script's faults from its seed. Each kind has its own
/// chances, so that leaving one out leaves the others as they are.
/// </summary>
internal static class FaultPlan
{
    /// <summary>The faults, in the order of their times.</summary>
    public static IReadOnlyList<PlannedFault> Of(ClusterFaults faults)
    {
        var queue = new PriorityQueue<(PlannedFault Fault, Random Random), TimeSpan>();
        foreach (var kind in faults.MeanTimes.Keys)
        {
            var random = new Random(unchecked((faults.Seed * 397) + (int)kind));
            var first = Next(default, kind, random, faults);
            queue.Enqueue((first, random), first.At);
        }

        var plan = new List<PlannedFault>();
        while (plan.Count < faults.FaultsMax && queue.TryDequeue(out var next, out _))
        {
            plan.Add(next.Fault);
            var after = Next(next.Fault.At, next.Fault.Kind, next.Random, faults);
            queue.Enqueue((after, next.Random), after.At);
        }

        return plan;
    }

    private static PlannedFault Next(TimeSpan after, FaultKind kind, Random random, ClusterFaults faults)
    {
        var at = after + (faults.MeanTimes[kind] * -Math.Log(1 - random.NextDouble()));
        var duration = faults.DurationMax * (0.1 + (0.9 * random.NextDouble()));
        return new(
            at,
            kind,
            faults.Durations.TryGetValue(kind, out var fixedDuration) ? fixedDuration : duration,
            random.Next());
    }
}
