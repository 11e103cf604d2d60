using System.Diagnostics.Metrics;
using Polyjuice.Diagnostics;

namespace Polyjuice.Publishing.Following;

/// <summary>What followers add to the meter <c>Polyjuice</c>.</summary>
internal sealed class FollowerMetrics : IDisposable
{
    private readonly Meter _meter;
    private readonly Counter<long> _swaps;
    private readonly Counter<long> _putBack;
    private readonly Counter<long> _refused;

    /// <param name="release">The one in force.</param>
    /// <param name="meters">The host's, if it has one.</param>
    public FollowerMetrics(Func<int> release, IMeterFactory? meters)
    {
        _meter = PolyjuiceMeter.Of(meters);
        _swaps = _meter.CreateCounter<long>(
            "polyjuice.policy.swaps", "{swap}",
            "Published releases that were put in force, those included that were rolled back to.");
        _putBack = _meter.CreateCounter<long>(
            "polyjuice.policy.rollbacks", "{release}",
            "Releases that this process has found worse than what was there before, and put back.");
        _refused = _meter.CreateCounter<long>(
            "polyjuice.policy.refused", "{release}", "Releases that this process could not use.");
        _meter.CreateObservableGauge(
            "polyjuice.policy.release", release, "{release}",
            "The published release in force; 0 for what the process was started with.");
    }

    public void Swapped() => _swaps.Add(1);

    public void PutBack() => _putBack.Add(1);

    public void Refused() => _refused.Add(1);

    public void Dispose() => _meter.Dispose();
}
