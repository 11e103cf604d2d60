using Orleans.Hosting;
using Orleans.TestingHost;

namespace Polyjuice.Orleans.Tests.Clusters;

/// <summary>Two silos and a client that may start transactions, for the tests of one class.</summary>
public sealed class TwoSilos : IAsyncLifetime
{
    private InProcessTestCluster? _cluster;

    public InProcessTestCluster Cluster => _cluster!;

    public async Task InitializeAsync() =>
        _cluster = await PolyjuiceCluster.StartAsync(2, configureClient: client => client.UsePolyjuice());

    public async Task DisposeAsync()
    {
        if (_cluster is not null) await _cluster.DisposeAsync();
    }
}
