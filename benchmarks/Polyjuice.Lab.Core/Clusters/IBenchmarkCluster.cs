using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Contracts;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;
using Polyjuice.Testing;

namespace Polyjuice.Lab.Clusters;

/// <summary>A cluster to measure. Members may be called from any thread.</summary>
internal interface IBenchmarkCluster : IAsyncDisposable
{
    /// <summary>What workloads see of it.</summary>
    WorkloadCluster View { get; }

    /// <summary>
    /// Runs client code on the client's own loop, where its continuations stay, too: one thread plays all clients,
    /// without a hop to a thread pool.
    /// </summary>
    Task RunOnClientAsync(Func<Task> body);

    /// <summary>
    /// Completes when no transaction is open, or waits to be: one whose caller waits no longer may still commit.
    /// </summary>
    Task AwaitRestAsync() => Task.CompletedTask;

    /// <summary>Puts a policy in force on all silos.</summary>
    void Swap(IPolicyCompiler policy);

    /// <summary>
    /// Where each process of it keeps the policy in force, with the
    /// counters of its engines: for who follows published policies.
    /// </summary>
    IReadOnlyList<(PolicyStore Policies, Func<EngineStatistics?> Load)> Processes { get; }

    /// <summary>The counters now.</summary>
    ClusterCounters Read();
}

/// <summary>What kind of cluster to start.</summary>
/// <param name="Silos">Number of silos, 1 to <see cref="PolyjuiceTestClusterOptions.MaxSilos"/>.</param>
/// <param name="NetworkLatency">One way, between nodes.</param>
/// <param name="AppendLatency">Of one append to the log.</param>
/// <param name="Partitions">Log partitions, or <see langword="null"/> for as many as silos.</param>
/// <param name="DataFolder">
/// Where the logs' files go, in a folder of their own that is deleted
/// with the cluster; <see langword="null"/> keeps logs in memory.
/// </param>
/// <param name="CheckpointBytes">
/// How much log makes a checkpoint, or <see langword="null"/> for the engine's default.
/// </param>
/// <param name="PolicyStore">
/// By which all silos run, so that somebody can look at one cluster after
/// the other; <see langword="null"/> for one of each cluster's own.
/// </param>
internal sealed record ClusterShape(
    int Silos, TimeSpan NetworkLatency, TimeSpan AppendLatency, int? Partitions, string? DataFolder = null,
        long? CheckpointBytes = null, PolicyStore? PolicyStore = null)
{
    /// <summary>What runs transactions there. Default: Polyjuice.</summary>
    public BenchmarkEngine Engine { get; init; } = BenchmarkEngine.Polyjuice;

    /// <summary>
    /// Where the logs are kept instead of in memory or in <see cref="DataFolder"/>, by name and how a cluster opens new
    /// ones there; default <see langword="null"/>.
    /// </summary>
    public BenchmarkLogs? Logs { get; init; }

    /// <summary><see cref="PolyjuiceOptions.EnginesPerSilo"/>. Default 1.</summary>
    public int EnginesPerSilo { get; init; } = 1;

    /// <summary><see cref="PolyjuiceOptions.OpenTransactions"/>. Default 0: the silo finds out.</summary>
    public int OpenTransactions { get; init; }

    /// <summary>How long clients wait for an answer. Default 30 s, as Orleans' clients do.</summary>
    public TimeSpan ResponseTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// The clock that transactions go by, and that traces of them are dated by. Default: the system's.
    /// </summary>
    public TimeProvider? Clock { get; init; }

    /// <summary>Configures every silo of Polyjuice's; runs after the cluster's own configuration.</summary>
    public Action<ISiloBuilder>? ConfigureSilo { get; init; }
}
