using System.Diagnostics.Metrics;

namespace Polyjuice.Orleans.Transactions;

/// <summary>What a <see cref="PlaceQueue"/> is measured as.</summary>
/// <param name="Prefix">What the instruments' names begin with.</param>
/// <param name="Unit">What is counted.</param>
/// <param name="Open">The name of those that are open.</param>
internal readonly record struct PlaceInstruments(string Prefix, string Unit, string Open)
{
    /// <summary>Has a queue measured.</summary>
    /// <param name="meter">Measures it until the meter is disposed of.</param>
    /// <param name="queue">The queue.</param>
    public void AddTo(Meter meter, PlaceQueue queue)
    {
        var unit = $"{{{Unit}}}";
        meter.CreateObservableGauge($"{Prefix}.{Open}", () => queue.Open, unit, $"The {Unit}s that are {Open}.");
        meter.CreateObservableGauge(
            $"{Prefix}.limit", () => queue.Limit, unit, $"How many {Unit}s may be {Open} at a time.");
        meter.CreateObservableGauge($"{Prefix}.waiting", () => queue.Held, unit, $"The {Unit}s that wait to begin.");
        meter.CreateObservableCounter(
            $"{Prefix}.refused", () => queue.Refused, unit,
            $"The {Unit}s that would have waited for too long, or had.");
    }
}
