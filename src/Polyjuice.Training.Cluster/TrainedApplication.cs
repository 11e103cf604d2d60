using System.Reflection;
using Orleans.Hosting;
using Polyjuice.Testing;

namespace Polyjuice.Training.Cluster;

/// <summary>
/// What must be known of an application so that its recorded calls can be made again in test clusters. Immutable.
/// </summary>
public sealed record TrainedApplication
{
    /// <summary>
    /// The assemblies that have its grains and what their methods take. Orleans finds those that the program references
    /// by itself, so that a trainer project may leave it empty.
    /// </summary>
    public IReadOnlyList<Assembly> Assemblies { get; init; } = [];

    /// <summary>
    /// Configures every silo: the services that grains' constructors ask for, and storage for what is no transactional
    /// state. Clustering, logs and the policy are the test cluster's, and transactional states are kept in its log,
    /// whatever storage they name.
    /// </summary>
    public Action<ISiloBuilder>? ConfigureSilo { get; init; }

    /// <summary>Configures the client.</summary>
    public Action<IClientBuilder>? ConfigureClient { get; init; }

    /// <summary>
    /// Makes the states that the recording began with, where the trace has none: runs once, on a cluster without
    /// delays. What it throws ends the training. <see langword="null"/> begins with empty states.
    /// </summary>
    public Func<PolyjuiceTestCluster, CancellationToken, Task>? LoadAsync { get; init; }
}
