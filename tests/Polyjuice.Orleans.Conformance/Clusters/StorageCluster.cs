using Orleans.Hosting;
using Orleans.TestingHost;
using Polyjuice.Tests.Storages;

namespace Polyjuice.Orleans.Conformance.Clusters;

/// <summary>One silo with a storage of each kind.</summary>
public sealed class StorageCluster : RowCluster
{
    public const string StateStore = "states";

    protected override short Silos => 1;

    protected override void Configure(TestClusterBuilder builder)
    {
        base.Configure(builder);
        builder.AddSiloBuilderConfigurator<Stored>();
    }

    public sealed class Stored : ISiloConfigurator
    {
        private static readonly StoredRows s_rows = new();

        public void Configure(ISiloBuilder siloBuilder) => siloBuilder.AddStoredStateStorage(StateStore, s_rows);
    }
}
