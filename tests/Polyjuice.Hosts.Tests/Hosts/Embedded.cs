using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Polyjuice.Embedded;
using Polyjuice.Execution;
using Polyjuice.Policies;
using Polyjuice.Storage;

namespace Polyjuice.Hosts.Tests;

/// <summary>A cluster of the embedded host.</summary>
internal sealed class TestHost : IAsyncDisposable
{
    private readonly EmbeddedCluster _cluster;

    private TestHost(EmbeddedCluster cluster) => _cluster = cluster;

    public IGrainFactory Client => _cluster.Client;

    public ITransactionClient Transactions => _cluster.Client;

    public static async Task<TestHost> StartAsync(int silos = 1, string policy = "occ", Action<EngineOptions>? engine = null, TimeProvider? time = null)
    {
        // What a test does not make short must succeed, however long the machine stands still.
        var options = new EmbeddedClusterOptions { Silos = silos, Seed = 1, PolicyName = policy, ResponseTimeout = TimeSpan.FromMinutes(4), Engine = { TransactionTimeoutMicroseconds = 180_000_000 } };
        engine?.Invoke(options.Engine);
        options.ConfigureServices = services =>
        {
            services.AddKeyedSingleton<IRowStoreProvider>("rows", new MemoryRowStore());
            if (time is not null) services.AddSingleton(time);
        };
        return new(await EmbeddedCluster.StartAsync(options));
    }

    /// <summary>The silo that a grain with transactional states lives on.</summary>
    public int SiloOf(IAddressable grain) => Hosting.StableHash.Partition(grain.GetGrainId().ToString(), _cluster.Partitions) % _cluster.Silos.Count;

    public void Swap(string policy) => _cluster.Policies.Swap(BuiltinPolicies.Get(policy));

    public ValueTask DisposeAsync() => _cluster.DisposeAsync();
}
