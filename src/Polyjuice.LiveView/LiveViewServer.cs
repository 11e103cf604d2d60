using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Polyjuice.LiveView.Api;
using Polyjuice.LiveView.Hosting;

namespace Polyjuice.LiveView;

/// <summary>The live view's own web server, on the loopback interface. It starts and stops with the host.</summary>
internal sealed partial class LiveViewServer : IHostedService, IAsyncDisposable
{
    private readonly LiveViewServices _services;
    private readonly LiveViewServerOptions _options;
    private readonly ILoggerFactory _loggers;
    private WebApplication? _application;

    internal LiveViewServer(LiveViewServices services, LiveViewServerOptions options, ILoggerFactory loggers)
    {
        // Nobody can authenticate here.
        _services = services with
        {
            Options = new LiveViewOptions
            {
                Title = services.Options.Title, EventStreamsMax = services.Options.EventStreamsMax
            }
        };
        _options = options;
        _loggers = loggers;
    }

    /// <summary>Where the page is, once it has started.</summary>
    /// <exception cref="InvalidOperationException">It has not started.</exception>
    public Uri Address =>
        new(
            _application?.Services.GetRequiredService<IServer>().Features.Get<
                IServerAddressesFeature>()?.Addresses.FirstOrDefault()
                ?? throw new InvalidOperationException("The live view's server has not started."));

    /// <inheritdoc/>
    /// <exception cref="IOException">The port is taken.</exception>
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        // Empty: its addresses, files and signals are the process's to choose.
        var builder = WebApplication.CreateEmptyBuilder(new());
        builder.WebHost.UseKestrelCore().ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            kestrel.Listen(IPAddress.Loopback, _options.Port);
        });
        builder.Services.AddRoutingCore().AddSingleton(_loggers).AddSingleton<IHostLifetime, NoSignals>();
        var application = builder.Build();
        application.UseRouting();
        LiveViewRoutes.Map(application.MapGroup(""), _services, application.Lifetime.ApplicationStopping);
        try
        {
            await application.StartAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (IOException exception) when (exception.InnerException is AddressInUseException)
        {
            await application.DisposeAsync().ConfigureAwait(false);
            throw new IOException(
                $"The live view can't listen on port {_options.Port}: another program does. Name another port, or 0 "
                + "for a free one.",
                exception);
        }

        _application = application;
        Serves(_loggers.CreateLogger<LiveViewServer>(), Address);
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken) =>
        _application?.StopAsync(cancellationToken) ?? Task.CompletedTask;

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (_application is not null) await _application.DisposeAsync().ConfigureAwait(false);
    }

    [LoggerMessage(1, LogLevel.Information, "The live view is at {Address}, for this machine alone.")]
    private static partial void Serves(ILogger logger, Uri address);
}
