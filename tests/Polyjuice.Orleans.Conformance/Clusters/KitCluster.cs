using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Messaging;
using Orleans.TestingHost;

namespace Polyjuice.Orleans.Conformance.Clusters;

/// <summary>
/// Two silos for the kit's runners, as Orleans' own tests start them, with one line swapped. States are in logs.
/// </summary>
public class KitCluster : IAsyncLifetime
{
    private TestCluster? _cluster;

    public TestCluster Cluster => _cluster!;

    public IGrainFactory Grains => Cluster.GrainFactory!;

    /// <summary>The services of a silo.</summary>
    public IServiceProvider SiloServices => Cluster.GetSiloServiceProvider(Cluster.Silos[0].SiloAddress);

    protected virtual short Silos => 2;

    public async Task InitializeAsync()
    {
        var builder = new TestClusterBuilder(Silos);
        builder.Options.UseTestClusterMembership = false;
        builder.AddSiloBuilderConfigurator<Configurator>();
        builder.AddClientBuilderConfigurator<ClientConfigurator>();
        Configure(builder);
        _cluster = builder.Build();
        await _cluster.DeployAsync();
    }

    public virtual async Task DisposeAsync()
    {
        if (_cluster is null) return;
        await _cluster.StopAllSilosAsync();
        await _cluster.DisposeAsync();
    }

    protected virtual void Configure(TestClusterBuilder builder)
    {
    }

    private static SharedMembership MembershipOf(IServiceProvider services) =>
        SharedMembership.Of(services.GetRequiredService<IOptions<ClusterOptions>>().Value.ClusterId);

    public sealed class Configurator : ISiloConfigurator
    {
        public void Configure(ISiloBuilder siloBuilder) => siloBuilder
            .ConfigureLogging(logging => logging.SetMinimumLevel(LogLevel.Warning))
            .ConfigureServices(services => services
                .AddSingleton<IMembershipTable>(MembershipOf)
                .AddKeyedSingleton<IRemoteCommitService, RemoteCommitService>(Kinds.RemoteCommitService))
            .AddMemoryGrainStorage(Kinds.TransactionStore)
            .UsePolyjuice(options => options.StateStorage = StateStorage.Log);
    }

    public sealed class ClientConfigurator : IClientBuilderConfigurator
    {
        public void Configure(IConfiguration configuration, IClientBuilder clientBuilder) =>
            clientBuilder.Services.AddSingleton<IGatewayListProvider>(MembershipOf);
    }
}
