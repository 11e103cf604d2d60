using System.Net;
using SiloHosting.Api;
using SiloHosting.Settings;
using SiloHosting.Telemetry;
using SiloHosting.Training;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans;

namespace SiloHosting.Health;

/// <summary>
/// The program's HTTP: listens before the silo starts and until it has stopped, so that whoever asks hears "not ready"
/// all that time, and not nothing. A host's own web server would start after the silo, and stop before it.
/// </summary>
internal sealed class WebServer(
    SiloApplication served, IOptions<SiloSettings> settings, WorkGate gate, HealthCheckService health,
    PrometheusMetrics metrics, IServiceProvider services,
    ILoggerFactory loggers) : IHostedLifecycleService, IAsyncDisposable
{
    private WebApplication? _application;

    /// <inheritdoc/>
    public async Task StartingAsync(CancellationToken cancellationToken)
    {
        // Empty: its addresses, files and signals are this program's to choose.
        var builder = WebApplication.CreateEmptyBuilder(new());
        builder.WebHost.UseKestrelCore().ConfigureKestrel(Listen);
        builder.Services.AddRoutingCore().AddSingleton(loggers)
            .AddSingleton<IHostLifetime, NoSignals>().AddSingleton(health);
        var application = builder.Build();
        application.UseRouting();
        application.Use(RequirePort);
        MapManagement(application.MapGroup("").WithMetadata(new Port(settings.Value.ManagementPort)));
        served.Map(new ApiRoutes(
            application.MapGroup("").WithMetadata(new Port(settings.Value.HttpPort)),
            () => services.GetRequiredService<IGrainFactory>(), gate));
        _application = application;
        await application.StartAsync(cancellationToken);
    }

    /// <inheritdoc/>
    public Task StoppedAsync(CancellationToken cancellationToken) =>
        _application?.StopAsync(cancellationToken) ?? Task.CompletedTask;

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (_application is not null) await _application.DisposeAsync();
    }

    private void Listen(KestrelServerOptions kestrel)
    {
        kestrel.AddServerHeader = false;
        var address = settings.Value.Clustering == SiloClustering.Localhost ? IPAddress.Loopback : IPAddress.Any;
        kestrel.Listen(address, settings.Value.HttpPort);
        kestrel.Listen(address, settings.Value.ManagementPort);
    }

    // By the port that the connection came in at. The Host header,
    // by which RequireHost decides, is the client's to choose.
    private static Task RequirePort(HttpContext context, RequestDelegate next)
    {
        if (context.GetEndpoint()?.Metadata.GetMetadata<Port>() is not { } port
            || port.Number == context.Connection.LocalPort)
            return next(context);
        context.Response.StatusCode = StatusCodes.Status404NotFound;
        return Task.CompletedTask;
    }

    private void MapManagement(RouteGroupBuilder routes)
    {
        routes.MapSiloHealth();
        routes.MapPrometheusScrapingEndpoint(
            SiloEndpoints.Metrics, metrics.Meters, configureBranchedPipeline: null, optionsName: null);
        TrainerApi.Map(routes, services);
        routes.MapPolyjuiceLiveView(services, SiloEndpoints.LiveView);
    }

    private sealed record Port(int Number);

    /// <summary>Signals are the program's; this web server hears of them from it.</summary>
    private sealed class NoSignals : IHostLifetime
    {
        public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
