using System.Collections.Immutable;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Metadata;
using Orleans.Runtime;
using Orleans.Storage;
using Orleans.Transactions.Abstractions;
using Polyjuice.Orleans.Rows;
using Polyjuice.Orleans.Silos;
using Polyjuice.Tests.Shared;
using Polyjuice.Tests.Storages;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Rows;

/// <summary>Which storage a state is kept in.</summary>
public sealed class StateStorageTests
{
    private readonly PolyjuiceOptions _options = new();
    private readonly ServiceCollection _services = new();

    [Fact]
    public void A_provider_of_the_name_is_used_whatever_its_kind()
    {
        _services.AddKeyedSingleton<IGrainStorage>(
            "plain", (_, _) => throw new InvalidOperationException("must not be made"));
        _services.AddKeyedSingleton<ITransactionalStateStorageFactory>(
            "transactional", (_, _) => throw new InvalidOperationException("must not be made"));

        Assert.True(Resolver.IsInProvider("plain"));
        Assert.True(Resolver.IsInProvider("transactional"));
        Assert.False(Resolver.IsInProvider("neither"));
        Assert.False(Resolver.IsInProvider(null));
    }

    [Fact]
    public void A_state_without_a_name_uses_the_default_provider()
    {
        _services.AddSingleton<IGrainStorage>(_ => throw new InvalidOperationException("must not be made"));

        Assert.True(Resolver.IsInProvider(null));
        Assert.True(Resolver.IsInProvider(""));
        Assert.False(Resolver.IsInProvider("named"));
    }

    [Fact]
    public void What_is_said_of_a_name_goes_before_what_is_said_of_all()
    {
        _services.AddKeyedSingleton<IGrainStorage>(
            "one", (_, _) => throw new InvalidOperationException("must not be made"));
        _services.AddSingleton<IGrainStorage>(_ => throw new InvalidOperationException("must not be made"));
        _options.StateStorage = StateStorage.Log;
        _options.StateStorageOf["one"] = StateStorage.Registered;

        Assert.True(Resolver.IsInProvider("one"));
        Assert.False(Resolver.IsInProvider(null));
        _options.StateStorageOf[""] = StateStorage.Provider;
        Assert.True(Resolver.IsInProvider(null));
    }

    [Fact]
    public void Silos_that_keep_a_state_in_different_places_are_told_apart()
    {
        var inLog = Manifest();
        _services.AddKeyedSingleton<IGrainStorage>(
            RowAccountGrain.Storage, (_, _) => throw new InvalidOperationException("must not be made"));
        var inProvider = Manifest();

        Assert.Equal(GrainType.Create("account"), EngineGuard.StorageDifference(inLog, inProvider));
        Assert.Null(EngineGuard.StorageDifference(inProvider, Manifest()));
        _services.AddKeyedSingleton<ITransactionalStateStorageFactory>(
            RowAccountGrain.Storage, (_, _) => throw new InvalidOperationException("must not be made"));
        Assert.Equal(GrainType.Create("account"), EngineGuard.StorageDifference(inProvider, Manifest()));
    }

    [Fact]
    public async Task A_state_goes_to_the_log_where_the_options_say_so()
    {
        var rows = new StoredRows();
        await using var cluster = await PolyjuiceCluster.StartAsync(1, silo => silo
            .AddStoredGrainStorage(RowAccountGrain.Storage, rows)
            .Configure<PolyjuiceOptions>(
                options => options.StateStorageOf[RowAccountGrain.Storage] = StateStorage.Log));

        await OrleansRowTests.Account(cluster, 1).Deposit(5);

        Assert.Equal(5, await OrleansRowTests.Account(cluster, 1).GetBalance());
        Assert.Empty(rows.Keys);
    }

    /// <summary>It would read as new, take updates, and lose them once the provider is taken out again.</summary>
    [Fact]
    public async Task A_provider_that_was_registered_later_hides_no_state_that_is_in_the_log()
    {
        using var folder = new TestFolder();
        var rows = new StoredRows();
        await using (var before = await PolyjuiceCluster.StartAsync(1, InFiles))
            await OrleansRowTests.Account(before, 1).Deposit(5);

        await using (var cluster = await PolyjuiceCluster.StartAsync(1, silo =>
        {
            InFiles(silo);
            silo.AddStoredGrainStorage(RowAccountGrain.Storage, rows);
        }))
        {
            var refusal = (await Assert.ThrowsAnyAsync<Exception>(
                () => OrleansRowTests.Account(cluster, 1).Deposit(7))).ToString();
            string[] parts =
            [
                "'balance'", OrleansRowTests.Account(cluster, 1).GetGrainId().ToString(), folder.Path,
                $"'{RowAccountGrain.Storage}'", nameof(PolyjuiceOptions.StateStorageOf),
            ];
            foreach (var part in parts)
                Assert.Contains(part, refusal, StringComparison.Ordinal);

            // What is new goes where it is to go.
            await OrleansRowTests.Account(cluster, 2).Deposit(9);
            Assert.Equal(9, await OrleansRowTests.Account(cluster, 2).GetBalance());
            Assert.Single(rows.Keys);
        }

        await using var after = await PolyjuiceCluster.StartAsync(1, InFiles);
        Assert.Equal(5, await OrleansRowTests.Account(after, 1).GetBalance());

        void InFiles(ISiloBuilder silo) => silo.AddFileLogAsDefault(options => options.Directory = folder.Path);
    }

    /// <summary>
    /// An application that comes from Orleans' own transactions, or from
    /// states in rows, and says "log" without a thought for its rows.
    /// </summary>
    [Theory]
    [InlineData(StorageKind.Grain, true)]
    [InlineData(StorageKind.State, true)]
    [InlineData(StorageKind.Grain, false)]
    public async Task The_log_hides_no_state_that_a_provider_has(StorageKind kind, bool isOrleans)
    {
        var rows = new StoredRows();
        await using (var before = isOrleans
            ? await PolyjuiceCluster.StartOrleansAsync(1, Storage.Of(kind, rows))
            : await PolyjuiceCluster.StartAsync(1, Storage.Of(kind, rows)))
        {
            await OrleansRowTests.Account(before, 1).Deposit(5);
            Assert.Equal(0, await OrleansRowTests.Account(before, 3).GetBalance());
        }

        await using (var cluster = await PolyjuiceCluster.StartAsync(1, silo => InLog(silo, looks: true)))
        {
            var refusal = (await Assert.ThrowsAnyAsync<Exception>(
                () => OrleansRowTests.Account(cluster, 1).Deposit(7))).ToString();
            string[] parts =
            [
                nameof(OrleansConfigurationException), "'balance'",
                OrleansRowTests.Account(cluster, 1).GetGrainId().ToString(), "transaction logs",
                $"'{RowAccountGrain.Storage}'", nameof(PolyjuiceOptions.StateStorageOf),
                nameof(PolyjuiceOptions.LooksForHiddenRows),
            ];
            foreach (var part in parts) Assert.Contains(part, refusal, StringComparison.Ordinal);

            // What has no row, or one without a state, goes where it is to go.
            Assert.Equal(9, await OrleansRowTests.Account(cluster, 2).Deposit(9));
            Assert.Equal(4, await OrleansRowTests.Account(cluster, 3).Deposit(4));
        }

        // Chosen on purpose.
        await using (var cluster = await PolyjuiceCluster.StartAsync(1, silo => InLog(silo, looks: false)))
            Assert.Equal(7, await OrleansRowTests.Account(cluster, 1).Deposit(7));

        await using var after = await PolyjuiceCluster.StartAsync(1, Storage.Of(kind, rows));
        Assert.Equal(5, await OrleansRowTests.Account(after, 1).GetBalance());

        void InLog(ISiloBuilder silo, bool looks)
        {
            Storage.Of(kind, rows)(silo);
            silo.Configure<PolyjuiceOptions>(options =>
            {
                options.StateStorage = StateStorage.Log;
                options.LooksForHiddenRows = looks;
            });
        }
    }

    [Fact]
    public async Task A_state_in_the_log_is_looked_for_in_a_row_until_the_log_has_it()
    {
        var rows = new StoredRows();
        await using var cluster = await PolyjuiceCluster.StartAsync(1, silo => silo
            .AddStoredGrainStorage(RowAccountGrain.Storage, rows)
            .Configure<PolyjuiceOptions>(options => options.StateStorage = StateStorage.Log));
        var account = OrleansRowTests.Account(cluster, 1);

        await account.GetBalance();
        Assert.Equal(1, rows.Reads);
        await cluster.DeactivateAsync(account);
        await account.Deposit(5);
        Assert.Equal(2, rows.Reads);
        await cluster.DeactivateAsync(account);
        Assert.Equal(5, await account.GetBalance());
        Assert.Equal(2, rows.Reads);
    }

    [Fact]
    public void Rows_are_looked_for_only_where_there_may_be_some_and_unless_that_is_switched_off()
    {
        _services.AddKeyedSingleton<IGrainStorage>(
            "plain", (_, _) => throw new InvalidOperationException("must not be made"));

        Assert.False(Resolver.MayHideRows("plain"));
        _options.StateStorage = StateStorage.Log;
        Assert.True(Resolver.MayHideRows("plain"));
        Assert.False(Resolver.MayHideRows("neither"));
        _options.LooksForHiddenRows = false;
        Assert.False(Resolver.MayHideRows("plain"));
    }

    [Fact]
    public async Task A_factory_for_transactional_states_goes_before_grain_storage_of_the_same_name()
    {
        var (plain, transactional) = (new StoredRows(), new StoredRows());
        await using var cluster = await PolyjuiceCluster.StartAsync(
            1,
            silo => silo.AddStoredGrainStorage(RowAccountGrain.Storage, plain)
                .AddStoredStateStorage(RowAccountGrain.Storage, transactional));

        await OrleansRowTests.Account(cluster, 1).Deposit(5);

        Assert.Empty(plain.Keys);
        Assert.Single(transactional.Keys);
    }

    [Fact]
    public async Task A_silo_without_a_provider_that_a_state_must_have_does_not_start_and_says_which()
    {
        var exception = await Assert.ThrowsAnyAsync<Exception>(
            () => PolyjuiceCluster.StartAsync(
                1,
                silo => silo.Configure<PolyjuiceOptions>(
                    options => options.StateStorageOf[RowAccountGrain.Storage] = StateStorage.Provider)));

        var message = exception.ToString();
        Assert.Contains(nameof(OrleansConfigurationException), message, StringComparison.Ordinal);
        Assert.Contains($"'balance' of grain class {typeof(RowAccountGrain)}", message, StringComparison.Ordinal);
        Assert.Contains($"'{RowAccountGrain.Storage}'", message, StringComparison.Ordinal);
    }

    private StateStorageResolver Resolver => new(Options.Create(_options), _services.BuildServiceProvider());

    private GrainManifest Manifest()
    {
        var properties = new Dictionary<string, string>();
        new StateStorageProperties(Resolver).Populate(typeof(RowAccountGrain), GrainType.Create("account"), properties);
        return new(
            ImmutableDictionary<GrainType, GrainProperties>.Empty.Add(
                GrainType.Create("account"), new(properties.ToImmutableDictionary(StringComparer.Ordinal))),
            ImmutableDictionary<GrainInterfaceType, GrainInterfaceProperties>.Empty);
    }
}
