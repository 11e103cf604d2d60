using Orleans.Hosting;
using Polyjuice.Tests.Storages;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Rows;

/// <summary>The two kinds of storage that a state may name.</summary>
public enum StorageKind
{
    /// <summary>Plain grain storage.</summary>
    Grain,

    /// <summary>Transactional state storage.</summary>
    State,
}

/// <summary>Adds a database to silos under the name that accounts ask for.</summary>
internal static class Storage
{
    public static Action<ISiloBuilder> Of(StorageKind kind, StoredRows rows) => silo => _ = kind == StorageKind.Grain
        ? silo.AddStoredGrainStorage(RowAccountGrain.Storage, rows)
        : silo.AddStoredStateStorage(RowAccountGrain.Storage, rows);
}
