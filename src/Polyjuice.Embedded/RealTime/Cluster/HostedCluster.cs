using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Runtime;
using Polyjuice.Embedded.Core;
using Polyjuice.Policies;
using Polyjuice.Storage;

namespace Polyjuice.Embedded.RealTime;

/// <summary>A cluster that lives as long as the host: it runs before the host's other services start and after they have stopped.</summary>
internal sealed class HostedCluster(IServiceProvider services) : IHostedLifecycleService, IAsyncDisposable
{
    private EmbeddedCluster? _cluster;
    private ILogStore? _logs;

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
        OptionsCheck.HasEffectInHost(options);
        var transactions = services.GetRequiredService<IOptions<PolyjuiceOptions>>().Value;
        options.Engine = transactions.Engine;
        (options.TraceSink, options.Trace) = (transactions.TraceSink, transactions.Trace);
        options.PolicyStore ??= services.GetRequiredService<PolicyStore>();
        if (services.GetService<IConfigureOptions<GrainCollectionOptions>>() is not null)
            options.CollectionAge = services.GetRequiredService<IOptions<GrainCollectionOptions>>().Value.CollectionAge;
        if (services.GetService<IConfigureOptions<SiloMessagingOptions>>() is not null)
            options.ResponseTimeout = services.GetRequiredService<IOptions<SiloMessagingOptions>>().Value.ResponseTimeout;
        options.LogStore ??= await OpenLogsAsync(cancellationToken).ConfigureAwait(false);
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
    public async Task StoppedAsync(CancellationToken cancellationToken)
    {
        if (_cluster is not null) await _cluster.StopAsync().ConfigureAwait(false);
        await CloseLogsAsync().ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync() => await CloseLogsAsync().ConfigureAwait(false);

    private async Task<ILogStore?> OpenLogsAsync(CancellationToken cancellationToken)
    {
        var name = services.GetRequiredService<IOptions<PolyjuiceOptions>>().Value.LogProvider;
        if (services.GetKeyedService<ILogStoreProvider>(name) is not { } provider)
        {
            if (name == PolyjuiceOptions.DefaultLogProvider) return null;
            throw new OrleansConfigurationException($"PolyjuiceOptions.LogProvider is '{name}', and no logs of that name were added to the host.");
        }

        return _logs = await provider.OpenAsync(cancellationToken).ConfigureAwait(false);
    }

    // After the silos have stopped, or failed to start.
    private async ValueTask CloseLogsAsync()
    {
        var logs = Interlocked.Exchange(ref _logs, null);
        if (logs is IAsyncDisposable asynchronous) await asynchronous.DisposeAsync().ConfigureAwait(false);
        else (logs as IDisposable)?.Dispose();
    }
}
