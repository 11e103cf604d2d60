using Orleans.Hosting;
using Orleans.TestingHost;
using Polyjuice.Orleans.Testing;

namespace Polyjuice.Orleans.Conformance.Clusters;

/// <summary>States in transactional state storage that splits its stores of which one call in fifty fails, before or after its effect.</summary>
public sealed class FaultyStateStorageCluster : RowCluster
{
    private static readonly RandomFaults s_faults = new(seed: 20_26, probability: 0.02);

    public override async Task DisposeAsync()
    {
        await base.DisposeAsync();
        Assert.NotEqual(0, s_faults.Count);
    }

    protected override void Configure(TestClusterBuilder builder)
    {
        base.Configure(builder);
        builder.AddSiloBuilderConfigurator<Faulty>();
    }

    public sealed class Faulty : ISiloConfigurator
    {
        private static readonly StoredRows s_rows = new() { At = s_faults.At };

        public void Configure(ISiloBuilder siloBuilder) => siloBuilder.AddStoredStateStorage(Kinds.TransactionStore, s_rows);
    }
}
