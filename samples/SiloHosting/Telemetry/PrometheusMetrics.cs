using OpenTelemetry;
using OpenTelemetry.Metrics;

namespace SiloHosting.Telemetry;

/// <summary>
/// What the meters <c>Polyjuice</c> and <c>System.Runtime</c> measure from its making on, for Prometheus to collect. Of
/// one instrument, OpenTelemetry tells 2,000 series apart; grain keys are never among them. Thread-safe.
/// </summary>
internal sealed class PrometheusMetrics : IDisposable
{
    /// <summary>What is collected.</summary>
    public MeterProvider Meters { get; } = Sdk.CreateMeterProviderBuilder()
        .AddMeter("Polyjuice")
        .AddMeter("System.Runtime")
        .AddPrometheusExporter(exporter =>
        {
            // The meter's name would be a label of each series, and every name says it already.
            exporter.ScopeInfoEnabled = false;

            // Two that ask at one time are to hear the same as one after the other.
            exporter.ScrapeResponseCacheDurationMilliseconds = 0;
        })
        .Build();

    /// <inheritdoc/>
    public void Dispose() => Meters.Dispose();
}
