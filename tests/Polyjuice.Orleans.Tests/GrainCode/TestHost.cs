using Microsoft.Extensions.DependencyInjection;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Testing;

namespace Polyjuice.Orleans.Tests.GrainCode;

/// <summary>Silos for tests of what grain code may rely on.</summary>
internal sealed class TestHost : IAsyncDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(4);

    private readonly PolyjuiceTestCluster _cluster;

    private TestHost(PolyjuiceTestCluster cluster) => _cluster = cluster;

    public IGrainFactory Client => _cluster.Grains;

    public ITransactionClient Transactions => _cluster.Transactions;

    public static async Task<TestHost> StartAsync(
        int silos = 1, string policy = "occ", Action<EngineOptions>? engine = null, TimeProvider? time = null) =>
        new(await PolyjuiceTestCluster.StartAsync(options =>
        {
            options.Silos = silos;
            options.Policy = policy;

            // What a test does not make short must succeed, however long the machine stands still.
            options.ResponseTimeout = s_patience;
            options.ConfigureEngine = configured =>
            {
                configured.TransactionTimeoutMicroseconds = 180_000_000;
                engine?.Invoke(configured);
            };
            if (time is not null) options.ConfigureSilo = silo => silo.Services.AddSingleton(time);
        }));

    /// <summary>The silo that a grain with transactional states lives on.</summary>
    public int SiloOf(IAddressable grain)
    {
        var owner = _cluster.SiloOf(grain);
        return Enumerable.Range(0, _cluster.Silos.Count).First(i => _cluster.Silos[i] == owner);
    }

    public void Swap(string policy) => _cluster.Swap(BuiltinPolicies.Get(policy));

    public ValueTask DisposeAsync() => _cluster.DisposeAsync();
}
