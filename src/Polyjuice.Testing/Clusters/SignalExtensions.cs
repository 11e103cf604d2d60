using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans.TestingHost;

namespace Polyjuice.Testing;

/// <summary>Leaves the signals of the operating system to the program that a test cluster runs in.</summary>
internal static class SignalExtensions
{
    /// <summary>
    /// Silos and client go on when the process is asked to end (Ctrl-C, SIGTERM, SIGQUIT). Without this each of their
    /// hosts stops by itself at once, so a program that wants to end in good order loses the cluster under its last
    /// calls.
    /// </summary>
    /// <param name="builder">The cluster. <see cref="PolyjuiceTestCluster"/> does this by itself.</param>
    public static InProcessTestClusterBuilder IgnoreSignals(this InProcessTestClusterBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        builder.ConfigureSiloHost((_, host) => host.Services.AddSingleton<IHostLifetime, NoLifetime>());
        builder.ConfigureClientHost(host => host.Services.AddSingleton<IHostLifetime, NoLifetime>());
        return builder;
    }

    private sealed class NoLifetime : IHostLifetime
    {
        public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
