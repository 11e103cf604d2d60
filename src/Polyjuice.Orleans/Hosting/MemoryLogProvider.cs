using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Polyjuice.Storage;

namespace Polyjuice.Orleans;

/// <summary>
/// Logs in this process's memory, which the silos of one cluster in the process share: they end with the last of those.
/// </summary>
internal sealed class MemoryLogProvider(
    string name, IOptionsMonitor<MemoryLogOptions> options, IOptions<ClusterOptions> cluster,
    IOptions<PolyjuiceOptions> silo) : IMemoryLogProvider
{
    private const int PartitionsPerEngine = 4;

    private static readonly Lock s_gate = new();
    private static readonly Dictionary<(string Cluster, string Service, string Name), Shared> s_stores = [];

    /// <inheritdoc/>
    public Task<ILogStore> OpenAsync(CancellationToken cancellationToken)
    {
        var key = (cluster.Value.ClusterId, cluster.Value.ServiceId, name);
        lock (s_gate)
        {
            if (!s_stores.TryGetValue(key, out var shared))
                s_stores.Add(key, shared = new(new MemoryLogStore(Partitions, takesCheckpoints: true)));
            shared.Users++;
            return Task.FromResult<ILogStore>(new Lease(key, shared.Store, shared.Identity));
        }
    }

    private int Partitions => options.Get(name).Partitions is > 0 and var asked
        ? asked
        : PartitionsPerEngine * silo.Value.EnginesPerSilo;

    private sealed class Shared(MemoryLogStore store)
    {
        public MemoryLogStore Store => store;

        public string Identity { get; } = Guid.NewGuid().ToString("n");

        public int Users { get; set; }
    }

    private sealed class Lease(
        (string, string, string) key, MemoryLogStore store, string identity) : ILogStore, IDisposable
    {
        private bool _isDisposed;

        public int PartitionCount => store.PartitionCount;

        public string Identity => identity;

        public IPartitionLog Open(int partition) => store.Open(partition);

        public void Dispose()
        {
            lock (s_gate)
            {
                if (_isDisposed) return;
                _isDisposed = true;
                if (--s_stores[key].Users == 0) s_stores.Remove(key);
            }
        }
    }
}
