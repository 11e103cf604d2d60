using Orleans.Hosting;
using Orleans.TestingHost;
using Polyjuice.Tests.Storages;

namespace Polyjuice.Orleans.Conformance.Clusters;

/// <summary>Plain grain storage that fails.</summary>
public sealed class FaultyGrainStorageCluster : FaultyRowCluster<FaultyGrainStorageCluster.Storage>
{
    public sealed class Storage : ISiloConfigurator
    {
        public void Configure(ISiloBuilder siloBuilder) =>
            siloBuilder.AddStoredGrainStorage(Kinds.TransactionStore, Database);
    }
}
