using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.TestingHost;

namespace Polyjuice.Orleans.Conformance.Clusters;

/// <summary>
/// The same, with states in the rows of the storage that the kit's grains name: Orleans' own grain storage in memory.
/// </summary>
public class RowCluster : KitCluster
{
    protected override void Configure(TestClusterBuilder builder) => builder.AddSiloBuilderConfigurator<Rows>();

    public sealed class Rows : ISiloConfigurator
    {
        public void Configure(ISiloBuilder siloBuilder) =>
            siloBuilder.Configure<PolyjuiceOptions>(options => options.StateStorage = StateStorage.Provider);
    }
}
