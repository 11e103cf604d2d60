using Orleans.TestingHost;

namespace Polyjuice.Orleans.Conformance.Clusters;

/// <summary>Rows, and clocks that differ.</summary>
public sealed class SkewedRowCluster : RowCluster
{
    protected override void Configure(TestClusterBuilder builder)
    {
        base.Configure(builder);
        builder.AddSiloBuilderConfigurator<SkewedCluster.Skew>();
    }
}
