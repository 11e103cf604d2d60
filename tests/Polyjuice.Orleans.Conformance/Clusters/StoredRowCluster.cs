using Orleans.Hosting;
using Orleans.TestingHost;
using Polyjuice.Tests.Storages;

namespace Polyjuice.Orleans.Conformance.Clusters;

/// <summary>Four silos whose states are in rows that outlive them.</summary>
public sealed class StoredRowCluster : RowCluster
{
    protected override short Silos => 4;

    protected override void Configure(TestClusterBuilder builder)
    {
        base.Configure(builder);
        builder.AddSiloBuilderConfigurator<Stored>();
        builder.AddSiloBuilderConfigurator<SuddenDeath.Configurator>();
    }

    public sealed class Stored : ISiloConfigurator
    {
        private static readonly StoredRows s_rows = new();

        public void Configure(ISiloBuilder siloBuilder) =>
            siloBuilder.AddStoredStateStorage(Kinds.TransactionStore, s_rows);
    }
}
