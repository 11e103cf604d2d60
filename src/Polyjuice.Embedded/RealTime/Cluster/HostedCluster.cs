using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Polyjuice.Embedded.Core;
using Polyjuice.Policies;

namespace Polyjuice.Embedded.RealTime;

/// <summary>A cluster that lives as long as the host: it runs before the host's other services start and after they have stopped.</summary>
internal sealed class HostedCluster(IServiceProvider services) : IHostedLifecycleService
{
    private EmbeddedCluster? _cluster;

    /// <summary>The store that the host's services share with the cluster.</summary>
    public static PolicyStore MakePolicyStore(IServiceProvider services)
    {
        var options = services.GetRequiredService<IOptions<PolyjuiceOptions>>().Value;
        OptionsCheck.Ranges(options);
        return new(new SiteRegistry(), options.PolicyCompiler ?? PolicySource.Load(options.Policy));
    }

    /// <inheritdoc/>
    public async Task StartingAsync(CancellationToken cancellationToken)
    {
        var options = services.GetRequiredService<IOptions<EmbeddedClusterOptions>>().Value;
        options.Engine = services.GetRequiredService<IOptions<PolyjuiceOptions>>().Value.Engine;
        options.PolicyStore ??= services.GetRequiredService<PolicyStore>();
        if (services.GetService<IConfigureOptions<GrainCollectionOptions>>() is not null)
            options.CollectionAge = services.GetRequiredService<IOptions<GrainCollectionOptions>>().Value.CollectionAge;
        if (services.GetService<IConfigureOptions<SiloMessagingOptions>>() is not null)
            options.ResponseTimeout = services.GetRequiredService<IOptions<SiloMessagingOptions>>().Value.ResponseTimeout;
        _cluster = await EmbeddedCluster.StartAsync(options, services, options.Data ?? EmbeddedClusterOptions.HostData).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task StoppedAsync(CancellationToken cancellationToken) => _cluster?.StopAsync() ?? Task.CompletedTask;
}
