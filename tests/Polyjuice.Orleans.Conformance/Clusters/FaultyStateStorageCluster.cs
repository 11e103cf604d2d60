using Orleans.Hosting;
using Orleans.TestingHost;
using Polyjuice.Tests.Storages;

namespace Polyjuice.Orleans.Conformance.Clusters;

/// <summary>Transactional state storage that splits its stores, and fails.</summary>
public sealed class FaultyStateStorageCluster : FaultyRowCluster<FaultyStateStorageCluster.Storage>
{
    public sealed class Storage : ISiloConfigurator
    {
        public void Configure(ISiloBuilder siloBuilder) =>
            siloBuilder.AddStoredStateStorage(Kinds.TransactionStore, Database);
    }
}
