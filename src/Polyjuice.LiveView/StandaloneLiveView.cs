using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Polyjuice.LiveView.Hosting;
using Polyjuice.Policies;

namespace Polyjuice.LiveView;

/// <summary>
/// The live view of engines whose process has no host to add it to, such as a benchmark's: with a web server of its
/// own, on the loopback interface, read-only. It ends when it is disposed.
/// </summary>
internal sealed class StandaloneLiveView : IAsyncDisposable
{
    private readonly IHost _host;

    private StandaloneLiveView(IHost host) => _host = host;

    /// <summary>Where the page is.</summary>
    public Uri Address => _host.Services.GetRequiredService<LiveViewServer>().Address;

    /// <summary>Starts it.</summary>
    /// <param name="policies">By which the engines run, one cluster after the other perhaps.</param>
    /// <param name="port">Where to listen; 0 takes a free port.</param>
    /// <param name="title">What stands at the top of the page.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="IOException">The port is taken; the message says what to do.</exception>
    public static async Task<StandaloneLiveView> StartAsync(
        PolicyStore policies, int port, string title, CancellationToken cancellationToken)
    {
        var builder = Host.CreateEmptyApplicationBuilder(new());
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.Services.AddSingleton(policies).AddPolyjuiceLiveView(options => options.Title = title)
            .AddPolyjuiceLiveViewServer(options => options.Port = port);
        var host = builder.Build();
        try
        {
            await host.StartAsync(cancellationToken).ConfigureAwait(false);
            return new StandaloneLiveView(host);
        }
        catch
        {
            host.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _host.StopAsync().ConfigureAwait(false);
        if (_host is IAsyncDisposable host) await host.DisposeAsync().ConfigureAwait(false);
        else _host.Dispose();
    }
}
