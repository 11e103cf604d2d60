using Microsoft.Extensions.Hosting;

namespace Polyjuice.Cli.Training.Trainer;

/// <summary>
/// A host that starts and stops when its command does: signals
/// are the command line's, which ends commands by their tokens.
/// </summary>
internal sealed class CommandLifetime : IHostLifetime
{
    public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
