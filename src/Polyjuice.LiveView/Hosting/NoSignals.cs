using Microsoft.Extensions.Hosting;

namespace Polyjuice.LiveView.Hosting;

/// <summary>Signals are the program's; a web server within it hears of them from it.</summary>
internal sealed class NoSignals : IHostLifetime
{
    /// <inheritdoc/>
    public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
