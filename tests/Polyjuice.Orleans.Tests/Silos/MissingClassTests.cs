using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Metadata;
using Orleans.Runtime;
using Orleans.TestingHost;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Silos;

/// <summary>Silos that do not all have the same grain classes.</summary>
public sealed class MissingClassTests
{
    private const int Accounts = 32;
    private readonly LogLines _lines = new("Polyjuice.Orleans");

    [Fact]
    public async Task A_grain_whose_place_has_no_class_for_it_says_so_and_the_others_work()
    {
        await using var cluster = await StartAsync(type => type == typeof(AccountGrain));
        var lacking = cluster.Silos[1].SiloAddress;
        var silo = cluster.GetSiloServiceProvider(cluster.Silos[0].SiloAddress).GetRequiredService<IPolyjuiceSilo>();

        var refused = 0;
        for (var key = 0; key < Accounts; key++)
        {
            var account = cluster.Client.GetGrain<IAccount>(key);
            if (lacking.Equals(silo.OwnerOf(account.GetGrainId())))
            {
                var exception = await Assert.ThrowsAnyAsync<OrleansException>(() => account.Deposit(1));
                Assert.Contains(
                    $"{lacking}, which serves its log partition", exception.ToString(), StringComparison.Ordinal);
                refused++;
            }
            else
            {
                await account.Deposit(1);
                Assert.Equal(1, await account.GetBalance());
            }
        }

        Assert.InRange(refused, 1, Accounts - 1);
        var warning = Assert.Single(
            _lines.All, line => line.Text.Contains("has no class of grain type account", StringComparison.Ordinal));
        Assert.Equal(LogLevel.Warning, warning.Level);
        Assert.Contains(lacking.ToString(), warning.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_silo_that_has_none_of_the_classes_owns_nothing_and_can_call_and_start_transactions()
    {
        await using var cluster = await StartAsync(type =>
            PartitionPlacementResolver.IsTransactional(type) && type.Assembly != typeof(PolyjuiceSilo).Assembly);
        var places = cluster.Silos.Select(silo => silo.ServiceProvider.GetRequiredService<PolyjuiceSilo>()).ToArray();
        var frontEnd = cluster.Silos[1].ServiceProvider.GetRequiredService<IGrainFactory>();

        for (var key = 0; key < Accounts; key++) await frontEnd.GetGrain<IAccount>(key).Deposit(100);
        for (var key = 0; key < Accounts; key += 2)
        {
            await frontEnd.GetGrain<ITeller>(key).Transfer(key, key + 1, 10);
            await cluster.Client.GetGrain<ITeller>(key).Transfer(key, key + 1, 10);
        }

        Assert.Equal(80, await frontEnd.GetGrain<IAccount>(0).GetBalance());
        Assert.Equal(120, await frontEnd.GetGrain<IAccount>(1).GetBalance());
        Assert.Equal((places[0].Readiness.Partitions, 0), (places[0].Readiness.Owned, places[1].Readiness.Owned));
        Assert.All(places, place => Assert.True(place.Readiness.IsReady, place.Readiness.ToString()));
    }

    [Fact]
    public async Task What_a_silo_that_has_just_joined_lacks_is_waited_for()
    {
        var late = new LateManifests();
        await using var cluster = await StartAsync(type => type == typeof(AccountGrain), late);
        var (asks, lacking) = (cluster.Silos[0], cluster.Silos[1].SiloAddress);
        var silo = asks.ServiceProvider.GetRequiredService<IPolyjuiceSilo>();
        var factory = asks.ServiceProvider.GetRequiredService<IGrainFactory>();
        var account = Enumerable.Range(0, 1_000).Select(key => factory.GetGrain<IAccount>(key))
            .First(account => lacking.Equals(silo.OwnerOf(account.GetGrainId())));
        late.Hide(lacking);

        var call = account.Deposit(1);
        await late.IsAwaited;
        Assert.False(call.IsCompleted);
        late.Show();

        var exception = await Assert.ThrowsAnyAsync<OrleansException>(() => call);
        Assert.Contains("has no class of grain type account", exception.ToString(), StringComparison.Ordinal);
    }

    private async Task<InProcessTestCluster> StartAsync(Func<Type, bool> lacksSecond, LateManifests? firstSees = null)
    {
        var builder = new InProcessTestClusterBuilder(2);
        builder.ConfigureSilo((options, silo) =>
        {
            silo.UsePolyjuice().ConfigureLogging(
                logging => logging.SetMinimumLevel(LogLevel.Warning).AddProvider(_lines));
            if (options.SiloName != "Silo_1") firstSees?.AddTo(silo.Services);
            else silo.Services.PostConfigure<GrainTypeOptions>(grains => grains.Classes.RemoveWhere(new(lacksSecond)));
        });
        var cluster = builder.Build();
        await cluster.DeployAsync();
        await cluster.WaitForLivenessToStabilizeAsync();
        return cluster;
    }

    /// <summary>A silo's view of the others' manifests, from which one can be taken out for a while.</summary>
    private sealed class LateManifests : IClusterManifestProvider
    {
        private readonly TaskCompletionSource _awaited = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _shown = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private IClusterManifestProvider _inner = null!;
        private volatile SiloAddress? _hidden;

        /// <summary>Somebody waits for news while one is hidden.</summary>
        public Task IsAwaited => _awaited.Task.WaitAsync(TimeSpan.FromMinutes(1));

        public ClusterManifest Current => Without(_inner.Current);

        public GrainManifest LocalGrainManifest => _inner.LocalGrainManifest;

        public IAsyncEnumerable<ClusterManifest> Updates => UpdatesAsync();

        public void AddTo(IServiceCollection services)
        {
            var original = services.Last(service => service.ServiceType == typeof(IClusterManifestProvider));
            services.AddSingleton<IClusterManifestProvider>(provider =>
            {
                _inner = (IClusterManifestProvider)original.ImplementationFactory!(provider);
                return this;
            });
        }

        public void Hide(SiloAddress silo) => _hidden = silo;

        public void Show()
        {
            _hidden = null;
            _shown.TrySetResult();
        }

        private async IAsyncEnumerable<ClusterManifest> UpdatesAsync(
            [EnumeratorCancellation] CancellationToken cancellationToken = default)
        {
            if (_hidden is not null)
            {
                _awaited.TrySetResult();
                await _shown.Task.WaitAsync(cancellationToken);
            }

            await foreach (var manifest in _inner.Updates.WithCancellation(cancellationToken))
                yield return Without(manifest);
        }

        private ClusterManifest Without(ClusterManifest manifest) => _hidden is { } hidden
            ? new(manifest.Version, manifest.Silos.Remove(hidden))
            : manifest;
    }
}
