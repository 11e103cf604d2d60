using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Polyjuice.Diagnostics;
using Polyjuice.LiveView.Policies;
using Polyjuice.Policies;

namespace Polyjuice.LiveView.Measuring;

/// <summary>Takes a sample each second, as long as the host runs.</summary>
internal sealed partial class Sampler(
    PolicyStore policies, IEngineInspection inspection, SampleHistory history, ConflictView conflicts,
    PolicyDates dates, TimeProvider time, ILogger<Sampler> logger) : BackgroundService
{
    private static readonly TimeSpan _interval = TimeSpan.FromSeconds(1);
    private long _takenAt;
    private bool _isFailing;

    /// <summary>Takes a sample.</summary>
    /// <param name="listener">Who has counted.</param>
    private void Take(EngineListener listener)
    {
        var now = time.GetTimestamp();
        var (tally, observed) = listener.Take();
        var elapsed = time.GetElapsedTime(_takenAt, now);

        // Not before: what is not taken now is counted in the next one's time.
        _takenAt = now;
        dates.Look();
        var sample = tally.ToSample(
            history.LatestNumber + 1, time.GetUtcNow(), elapsed.TotalSeconds, inspection.Policies[^1].Version) with
        {
            Waiting = observed.Waiting,
            Chosen = observed.Chosen,
            Grains = [.. conflicts.WhileLookedAt().Take(Sample.GrainsMax)],
            Trace = new(observed.Recordings, observed.Recorded, observed.Dropped, observed.Bytes),
        };
        history.Add(sample, tally.Waits());
    }

    /// <summary>
    /// Whatever goes wrong, a second is missing and nothing else: who looks at a silo never stops it.
    /// </summary>
    private void TryTake(EngineListener listener)
    {
        try
        {
            Take(listener);
            _isFailing = false;
        }
        catch (Exception exception)
        {
            // Said once, and not each second.
            if (!_isFailing) NotTaken(logger, exception);
            _isFailing = true;
        }
    }

    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var listener = new EngineListener(policies);
        using var timer = new PeriodicTimer(_interval, time);
        _takenAt = time.GetTimestamp();
        try
        {
            while (await timer.WaitForNextTickAsync(stoppingToken).ConfigureAwait(false)) TryTake(listener);
        }
        catch (OperationCanceledException)
        {
            // The host stops.
        }
    }

    [LoggerMessage(
        1, LogLevel.Warning,
        "The live view could not take a sample of the engines' metrics; it tries again each second.")]
    private static partial void NotTaken(ILogger logger, Exception exception);
}
