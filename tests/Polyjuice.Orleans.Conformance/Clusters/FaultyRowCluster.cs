using Orleans.TestingHost;
using Polyjuice.Tests.Storages;

namespace Polyjuice.Orleans.Conformance.Clusters;

/// <summary>
/// States in a storage of which one call in fifty fails, before, in the middle of or after its effect.
/// </summary>
/// <typeparam name="TStorage">Adds the storage over <see cref="Database"/>.</typeparam>
public abstract class FaultyRowCluster<TStorage> : RowCluster where TStorage : ISiloConfigurator, new()
{
    private static readonly RandomFaults s_faults = new(seed: 20_26, probability: 0.02);

    protected static StoredRows Database { get; } = new() { At = s_faults.At };

    public override async Task DisposeAsync()
    {
        await base.DisposeAsync();
        Assert.NotEqual(0, s_faults.Count);
    }

    protected override void Configure(TestClusterBuilder builder)
    {
        base.Configure(builder);
        builder.AddSiloBuilderConfigurator<TStorage>();
    }
}
