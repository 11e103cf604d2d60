using Microsoft.Extensions.Hosting;
using Polyjuice.Diagnostics;
using Polyjuice.LiveView.Policies;
using Polyjuice.Policies;

namespace Polyjuice.LiveView.Measuring;

/// <summary>Takes a sample each second, as long as the host runs.</summary>
internal sealed class Sampler(PolicyStore policies, IEngineInspection inspection, SampleHistory history, PolicyDates dates, TimeProvider time) : BackgroundService
{
    private static readonly TimeSpan _interval = TimeSpan.FromSeconds(1);
    private long _takenAt;

    /// <summary>Takes a sample.</summary>
    /// <param name="listener">Who has counted.</param>
    internal void Take(EngineListener listener)
    {
        var now = time.GetTimestamp();
        var elapsed = time.GetElapsedTime(_takenAt, now);
        _takenAt = now;
        var (tally, waiting) = listener.Take();
        dates.Look();
        history.Add(tally.ToSample(history.LatestNumber + 1, time.GetUtcNow(), elapsed.TotalSeconds, waiting, inspection.Policies[^1].Version), tally.Waits());
    }

    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var listener = new EngineListener(policies);
        using var timer = new PeriodicTimer(_interval, time);
        _takenAt = time.GetTimestamp();
        try
        {
            while (await timer.WaitForNextTickAsync(stoppingToken).ConfigureAwait(false)) Take(listener);
        }
        catch (OperationCanceledException)
        {
            // The host stops.
        }
    }
}
