using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using Orleans.Runtime;
using Polyjuice.Storage;

namespace Polyjuice.Orleans.Silos;

/// <summary>The silo's transaction logs, which it opens as it starts. Thread-safe once they are open.</summary>
/// <param name="self">This silo.</param>
/// <param name="name">The name of the provider that they are from.</param>
/// <param name="services">Where that is registered.</param>
/// <param name="logger">For what belongs to this host.</param>
internal sealed class SiloLogs(SiloIdentity self, string name, IServiceProvider services, ILogger logger)
{
    private ILogStore? _store;
    private LogPlace? _place;

    /// <summary>Number of log partitions.</summary>
    /// <exception cref="InvalidOperationException">The silo has not got as far.</exception>
    public int Partitions => _store?.PartitionCount ?? throw self.NotOpen();

    /// <summary>The logs; <see langword="null"/> until the silo has opened them.</summary>
    public ILogStore? Store => _store;

    /// <summary>Where they are.</summary>
    /// <exception cref="InvalidOperationException">The silo has not got as far.</exception>
    public LogPlace Place => _place ?? throw self.NotOpen();

    /// <summary>Opens them.</summary>
    /// <exception cref="OrleansConfigurationException">The provider was not added to the silo.</exception>
    public async Task<ILogStore> OpenAsync(CancellationToken cancellationToken)
    {
        var provider = services.GetKeyedService<ILogStoreProvider>(name);
        if (provider is null)
        {
            if (name != PolyjuiceOptions.DefaultLogProvider)
            {
                throw new OrleansConfigurationException(
                    $"PolyjuiceOptions.LogProvider is '{name}', and no logs of that name were added to the silo.");
            }

            HostLog.MemoryOnly(logger);
            provider = services.GetRequiredService<MemoryLogProvider>();
        }

        var store = _store = await provider.OpenAsync(cancellationToken).ConfigureAwait(false);
        var location = store.Open(0).Location is { Length: > 0 } known
            ? known
            : $"the memory of process {Environment.ProcessId} on {Environment.MachineName}";
        _place = new(store.Identity, location);
        return store;
    }

    /// <summary>Closes them, if they are open.</summary>
    public async Task CloseAsync()
    {
        if (_store is IAsyncDisposable asynchronous) await asynchronous.DisposeAsync().ConfigureAwait(false);
        else (_store as IDisposable)?.Dispose();
    }
}
