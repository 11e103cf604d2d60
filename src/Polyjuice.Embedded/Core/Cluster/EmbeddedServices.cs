using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Orleans;
using Polyjuice.Execution;
using Polyjuice.Hosting;
using Polyjuice.Policies;

namespace Polyjuice.Embedded.Core;

/// <summary>Where services find the cluster that they belong to, once it has been made.</summary>
internal sealed class ClusterHolder : IFollowedEngines
{
    private CallRuntime? _runtime;
    private EmbeddedCluster? _cluster;

    /// <summary>What its nodes share.</summary>
    public CallRuntime Runtime
    {
        get => _runtime ?? throw new InvalidOperationException("The embedded cluster has not been started yet.");
        set => _runtime = value;
    }

    /// <summary>The cluster, if it runs in real time.</summary>
    public EmbeddedCluster Cluster
    {
        get => _cluster ?? throw new InvalidOperationException("There is no embedded cluster in real time here, or it has not been started yet.");
        set => _cluster = value;
    }

    /// <inheritdoc/>
    public string Name => "embedded cluster";

    /// <inheritdoc/>
    public EngineStatistics? Statistics => _cluster?.Statistics.Engine;
}

/// <summary>The services that grains and their callers ask for.</summary>
internal static class EmbeddedServices
{
    public static void Add(IServiceCollection services)
    {
        services.TryAddSingleton<ClusterHolder>();
        services.TryAddSingleton<IFollowedEngines>(provider => provider.GetRequiredService<ClusterHolder>());
        services.TryAddSingleton(provider => new EmbeddedClient(provider.GetRequiredService<ClusterHolder>()));
        services.TryAddSingleton<IClusterClient>(provider => provider.GetRequiredService<EmbeddedClient>());
        services.TryAddSingleton<IGrainFactory>(provider => provider.GetRequiredService<EmbeddedClient>());
        services.TryAddSingleton<ITransactionClient>(provider => provider.GetRequiredService<EmbeddedClient>());
        services.TryAddSingleton(provider => provider.GetRequiredService<ClusterHolder>().Cluster);
        services.TryAddSingleton(TimeProvider.System);
        services.TryAddSingleton<PolicyStore>(provider => provider.GetRequiredService<ClusterHolder>().Runtime.Policies);
    }
}
