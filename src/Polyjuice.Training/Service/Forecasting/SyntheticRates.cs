using Polyjuice.Simulation.Events;

namespace Polyjuice.Training.Service.Forecasting;

/// <summary>
/// Conflict rates that nobody measured, with what real ones have: a daily season of 0.3 and a weekly one of 0.15 of the
/// mean, 5% of noise, and three shifts of 40%, up or down, in the seventh, fourteenth and twenty-first week or the one
/// after; seasons begin anywhere. Hours, for 28 weeks, the Polyjuice paper's 196 days (§7.6).
/// </summary>
/// <param name="Rates">The rate of each hour.</param>
/// <param name="Shifts">The first hours at another level.</param>
internal sealed record SyntheticRates(IReadOnlyList<double> Rates, IReadOnlyList<int> Shifts)
{
    private const int Day = 24;
    private const int Week = 7 * Day;
    private const int Weeks = 28;

    /// <summary>The rates of a seed.</summary>
    /// <param name="seed">Another one, another series.</param>
    public static SyntheticRates Of(ulong seed)
    {
        var random = new SimulationRandom(SimulationRandom.Mix(seed ^ 0xF04EC5));
        var (dayPhase, weekPhase) = (random.NextDouble() * Day, random.NextDouble() * Week);
        int[] shifts = [.. Enumerable.Range(1, 3).Select(third => ((7 * third) - 1) * Week + random.Next(2 * Week))];
        var (level, rates) = (0.2, new double[Weeks * Week]);
        for (var hour = 0; hour < rates.Length; hour++)
        {
            if (shifts.Contains(hour)) level *= random.Next(2) == 0 ? 1.4 : 0.6;
            var season = 1 + (0.3 * Math.Sin(2 * Math.PI * (hour + dayPhase) / Day))
                + (0.15 * Math.Sin(2 * Math.PI * (hour + weekPhase) / Week));
            rates[hour] = Math.Clamp(level * season * (1 + (0.05 * Normal(random))), 0, 1);
        }

        return new SyntheticRates(rates, shifts);
    }

    /// <summary>Box and Muller's.</summary>
    private static double Normal(SimulationRandom random) =>
        Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}
