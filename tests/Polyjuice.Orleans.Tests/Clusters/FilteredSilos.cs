using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.TestingHost;

namespace Polyjuice.Orleans.Tests.Clusters;

/// <summary>
/// Two silos and a client with call filters, for the tests of one class. The younger of two that conflict aborts at
/// once.
/// </summary>
public sealed class FilteredSilos : IAsyncLifetime
{
    private InProcessTestCluster? _cluster;

    /// <summary>Of the silos.</summary>
    public Filter Incoming { get; } = new();

    /// <summary>Of the silos and the client.</summary>
    public Filter Outgoing { get; } = new();

    public IGrainFactory Grains => _cluster!.Client;

    public async Task InitializeAsync() => _cluster = await PolyjuiceCluster.StartAsync(
        2,
        silo => silo.AddIncomingGrainCallFilter(Incoming).AddOutgoingGrainCallFilter(Outgoing)
            .Configure<PolyjuiceOptions>(options => options.Policy = "2pl-wait-die"),
        client => client.UsePolyjuice().AddOutgoingGrainCallFilter(Outgoing));

    public async Task DisposeAsync()
    {
        if (_cluster is not null) await _cluster.DisposeAsync();
    }
}
