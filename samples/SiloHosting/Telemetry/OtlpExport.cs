using SiloHosting.Settings;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;

namespace SiloHosting.Telemetry;

/// <summary>
/// Sends what the meter and the activity source <c>Polyjuice</c> say to an OpenTelemetry collector, by OTLP over HTTP,
/// if the settings name one. What has not been sent is sent when the silo stops.
/// </summary>
internal sealed class OtlpExport(
    IOptions<SiloSettings> settings, SiloApplication application) : IHostedService, IDisposable
{
    private MeterProvider? _meters;
    private TracerProvider? _traces;

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        var values = settings.Value;
        if (values.OtlpEndpoint is not { } endpoint) return Task.CompletedTask;
        var resource = ResourceBuilder.CreateDefault()
            .AddService(
                $"{application.Name}-silo",
                serviceNamespace: values.ServiceId,
                serviceInstanceId: values.Name ?? Environment.MachineName);
        _meters = Sdk.CreateMeterProviderBuilder().SetResourceBuilder(resource).AddMeter("Polyjuice")
            .AddMeter("System.Runtime").AddOtlpExporter((exporter, reader) =>
            {
                To(exporter, endpoint, "v1/metrics");
                reader.PeriodicExportingMetricReaderOptions.ExportIntervalMilliseconds =
                    (int)values.OtlpInterval.TotalMilliseconds;
            }).Build();
        if (values.OtlpTraces)
            _traces = Sdk.CreateTracerProviderBuilder().SetResourceBuilder(resource).AddSource("Polyjuice")
                .AddOtlpExporter(exporter => To(exporter, endpoint, "v1/traces")).Build();
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken)
    {
        Dispose();
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        // Sends the rest.
        Interlocked.Exchange(ref _meters, null)?.Dispose();
        Interlocked.Exchange(ref _traces, null)?.Dispose();
    }

    private static void To(OtlpExporterOptions exporter, Uri endpoint, string path)
    {
        exporter.Protocol = OtlpExportProtocol.HttpProtobuf;
        exporter.Endpoint = new Uri($"{endpoint.AbsoluteUri.TrimEnd('/')}/{path}");
    }
}
