using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Hosting;
using Orleans.Serialization.Configuration;
using Orleans.TestingHost;
using Orleans.Transactions.Abstractions;
using Polyjuice.Orleans.Rows;
using Polyjuice.Tests.Storages;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Storage;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Orleans.Tests.Rows;

/// <summary>What the engine asks of every row store, of storage providers behind the adapter.</summary>
public abstract class ProviderRowTests(StorageKind kind, ProviderRowTests.OneSilo fixture) : RowStoreContract
{
    private static long s_lastKey;
    private readonly Dictionary<string, IRowAccount> _grains = [];

    /// <inheritdoc/>
    internal override IRowStore<RowText> Open(string grain, string state)
    {
        if (!_grains.TryGetValue(grain, out var account))
        {
            _grains.Add(
                grain, account = fixture.Cluster.Client.GetGrain<IRowAccount>(Interlocked.Increment(ref s_lastKey)));
            account.GetBalance().Wait(TimeSpan.FromSeconds(30));
        }

        Assert.True(fixture.Cluster.TryGetGrainContext(account.GetGrainId(), out var context));
        return new ProviderRow<RowText>(
            context, state,
            () => context.ActivationServices.GetRequiredService<INamedTransactionalStateStorageFactory>()
                .Create<RowText>($"{kind}", $"contract.{state}"),
            new ProviderFormat(context.ActivationServices.GetRequiredService<IGrainFactory>()),
            TimeSpan.FromSeconds(30));
    }

    /// <summary>One silo with a storage of each kind.</summary>
    public sealed class OneSilo : IAsyncLifetime
    {
        private InProcessTestCluster? _cluster;

        public InProcessTestCluster Cluster => _cluster!;

        public async Task InitializeAsync() => _cluster = await PolyjuiceCluster.StartAsync(
            1, silo => silo
                .AddStoredGrainStorage($"{StorageKind.Grain}", new StoredRows())
                .AddStoredStateStorage($"{StorageKind.State}", new StoredRows())
                .Services.Configure<TypeManifestOptions>(types => types.AddAllowedType(typeof(RowText))));

        public async Task DisposeAsync()
        {
            if (_cluster is not null) await _cluster.DisposeAsync();
        }
    }
}

/// <summary>Plain grain storage.</summary>
public sealed class GrainStorageRowTests(
    ProviderRowTests.OneSilo fixture)
        : ProviderRowTests(StorageKind.Grain, fixture), IClassFixture<ProviderRowTests.OneSilo>;

/// <summary>Transactional state storage.</summary>
public sealed class StateStorageRowTests(
    ProviderRowTests.OneSilo fixture)
        : ProviderRowTests(StorageKind.State, fixture), IClassFixture<ProviderRowTests.OneSilo>;
