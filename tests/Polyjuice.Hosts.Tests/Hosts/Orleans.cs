using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.TestingHost;
using Polyjuice.Execution;
using Polyjuice.Orleans;
using Polyjuice.Policies;

namespace Polyjuice.Hosts.Tests;

/// <summary>Orleans silos in this process, which speak over sockets.</summary>
internal sealed class TestHost : IAsyncDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(4);

    private readonly InProcessTestCluster _cluster;

    private TestHost(InProcessTestCluster cluster) => _cluster = cluster;

    public IGrainFactory Client => _cluster.Client;

    public ITransactionClient Transactions => _cluster.Client.ServiceProvider.GetRequiredService<ITransactionClient>();

    public static async Task<TestHost> StartAsync(int silos = 1, string policy = "occ", Action<EngineOptions>? engine = null, TimeProvider? time = null)
    {
        var builder = new InProcessTestClusterBuilder((short)silos);
        // What a test does not make short must succeed, however long the machine stands still.
        builder.ConfigureSilo((_, silo) => silo
            .ConfigureLogging(logging => logging.SetMinimumLevel(LogLevel.Warning))
            .Configure<SiloMessagingOptions>(options => options.ResponseTimeout = s_patience)
            .UsePolyjuice(options =>
            {
                options.Policy = policy;
                options.Engine.TransactionTimeoutMicroseconds = 180_000_000;
                engine?.Invoke(options.Engine);
            })
            .AddMemoryLogAsDefault(options => options.Partitions = silos));
        if (time is not null) builder.ConfigureSilo((_, silo) => silo.Services.AddSingleton(time));
        builder.ConfigureClient(client => client.Configure<ClientMessagingOptions>(options => options.ResponseTimeout = s_patience).UsePolyjuice());
        var cluster = builder.Build();
        await cluster.DeployAsync();
        return new(cluster);
    }

    /// <summary>The silo that a grain with transactional states lives on.</summary>
    public int SiloOf(IAddressable grain)
    {
        var owner = _cluster.Silos[0].ServiceProvider.GetRequiredService<IPolyjuiceSilo>().OwnerOf(grain.GetGrainId());
        return Enumerable.Range(0, _cluster.Silos.Count).First(i => _cluster.Silos[i].SiloAddress.Equals(owner));
    }

    public void Swap(string policy)
    {
        foreach (var silo in _cluster.Silos) silo.ServiceProvider.GetRequiredService<PolicyStore>().Swap(BuiltinPolicies.Get(policy));
    }

    public ValueTask DisposeAsync() => _cluster.DisposeAsync();
}
