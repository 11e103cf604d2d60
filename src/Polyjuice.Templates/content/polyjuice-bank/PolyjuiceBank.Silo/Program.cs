#if (aspire)
using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;
#endif
using PolyjuiceBank.Silo;

var builder = WebApplication.CreateBuilder(args);

// What is recorded, learned and kept, and where, is in appsettings.json.
builder.UseOrleans(silo => silo
    .UseLocalhostClustering(
        builder.Configuration.GetValue("SiloPort", 11111), builder.Configuration.GetValue("GatewayPort", 30000))
    .UsePolyjuice()
#if (aspire)
    .AddActivityPropagation()
#endif
    .AddTrainer());

builder.Services.AddPolyjuiceLiveView(view => view.Title = "PolyjuiceBank");
builder.Services.AddHealthChecks().AddPolyjuice();
builder.Services.AddHostedService<Customers>();
#if (aspire)

// Where Aspire's dashboard, or whoever else collects telemetry, is told to the silo by its environment.
if (builder.Configuration["OTEL_EXPORTER_OTLP_ENDPOINT"] is not null)
{
    builder.Services.AddOpenTelemetry()
        .WithLogging()
        .WithMetrics(metrics => metrics.AddMeter("Polyjuice").AddMeter("Microsoft.Orleans"))
        .WithTracing(tracing => tracing.AddSource("Polyjuice").AddSource("Microsoft.Orleans.Application"))
        .UseOtlpExporter();
}
#endif

var app = builder.Build();
app.MapPolyjuiceLiveView("/polyjuice");
app.MapHealthChecks("/health/ready", new() { Predicate = check => check.Tags.Contains("ready") });
app.MapHealthChecks("/health/live", new() { Predicate = check => check.Tags.Contains("live") });
app.MapGet("/", () => Results.Redirect("/polyjuice/"));
await app.RunAsync();
