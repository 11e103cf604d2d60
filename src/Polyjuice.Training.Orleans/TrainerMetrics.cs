using System.Diagnostics.Metrics;
using Microsoft.Extensions.Hosting;
using Polyjuice.Diagnostics;
using Polyjuice.Training.Service;

namespace Polyjuice.Training.Orleans;

/// <summary>
/// What the trainer adds to the meter <c>Polyjuice</c>, on the silo that it is on; the others measure nothing.
/// </summary>
internal sealed class TrainerMetrics : IHostedService, IDisposable
{
    private readonly Meter _meter;

    /// <param name="trainer">While it is here.</param>
    /// <param name="meters">The host's, if it has one.</param>
    public TrainerMetrics(LocalTrainer trainer, IMeterFactory? meters = null)
    {
        _meter = PolyjuiceMeter.Of(meters);
        Gauge("windows", "{window}", "Windows that the cluster's trainer has seen.", status => status.WindowsSeen);
        Gauge("conflict_rate", "1", "The last window's share of conflicts.", status => status.LastWindow?.Rate);
        Gauge("forecast", "1", "The peak of the conflict rate that is expected.", status => status.Forecast?.Rate);
        Gauge("trained_for", "1", "The peak that the table in force was trained for.", status => status.TrainedFor);
        Gauge("training", "1", "1 while a search is under way, else 0.", status => status.IsTraining ? 1 : 0);
        Gauge("trainings", "{training}", "Trainings that have ended.", status => status.Trainings);
        Gauge("published", "{release}", "The last release it has published; 0: none.", status => status.Published);
        Gauge("taken_back", "{release}", "The last that silos took back; 0: none.", status => status.TakenBack);

        void Gauge(string name, string unit, string text, Func<TrainerStatus, double?> value) =>
            _meter.CreateObservableGauge($"polyjuice.trainer.{name}", () => Measure(value), unit, text);

        IEnumerable<Measurement<double>> Measure(Func<TrainerStatus, double?> value) =>
            trainer.Status is { } status && value(status) is { } measured ? [new(measured)] : [];
    }

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public void Dispose() => _meter.Dispose();
}
