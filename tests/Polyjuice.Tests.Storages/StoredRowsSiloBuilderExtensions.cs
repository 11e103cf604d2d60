using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.Runtime.Hosting;
using Orleans.Storage;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Tests.Storages;

/// <summary>Adds storages that outlive the silo.</summary>
public static class StoredRowsSiloBuilderExtensions
{
    /// <summary>Plain grain storage, which both engines wrap.</summary>
    public static ISiloBuilder AddStoredGrainStorage(this ISiloBuilder builder, string name, StoredRows rows) =>
        builder.ConfigureServices(
            services => services.AddGrainStorage(
                name,
                (provider, _) => new StoredGrainStorage(rows, provider.GetRequiredService<IGrainStorageSerializer>())));

    /// <summary>Transactional state storage.</summary>
    public static ISiloBuilder AddStoredStateStorage(this ISiloBuilder builder, string name, StoredRows rows) =>
        builder.ConfigureServices(
            services => services.AddKeyedSingleton<ITransactionalStateStorageFactory>(
                name,
                (provider, _) => new StoredStateStorageFactory(
                    rows, provider.GetRequiredService<IGrainStorageSerializer>())));

    /// <summary>Transactional state storage of states that name none.</summary>
    public static ISiloBuilder AddStoredStateStorageAsDefault(this ISiloBuilder builder, StoredRows rows) =>
        builder.ConfigureServices(
            services => services.AddSingleton<ITransactionalStateStorageFactory>(
                provider => new StoredStateStorageFactory(
                    rows, provider.GetRequiredService<IGrainStorageSerializer>())));
}
