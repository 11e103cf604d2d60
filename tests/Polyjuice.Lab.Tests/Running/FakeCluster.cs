using Orleans;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Tests.Running;

/// <summary>A cluster without grains, whose counters a <see cref="FakeWorkload"/> moves.</summary>
internal sealed class FakeCluster : IBenchmarkCluster
{
    private readonly TaskScheduler _oneAtATime = new ConcurrentExclusiveSchedulerPair().ExclusiveScheduler;

    public List<string> Swaps { get; } = [];

    public ClusterCounters Counters { get; set; } = new();

    public bool IsDisposed { get; private set; }

    public WorkloadCluster View { get; } = new(null!, _ => 0, 1);

    public Task RunOnClientAsync(Func<Task> body) =>
        Task.Factory.StartNew(body, CancellationToken.None, TaskCreationOptions.None, _oneAtATime).Unwrap();

    public void Swap(IPolicyCompiler policy) => Swaps.Add(policy.Name);

    public IReadOnlyList<(PolicyStore Policies, Func<EngineStatistics?> Load)> Processes => [];

    public ClusterCounters Read() => Counters;

    public ValueTask DisposeAsync()
    {
        IsDisposed = true;
        return default;
    }
}

internal sealed class FakePolicy(string name) : IPolicyCompiler
{
    public string Name => name;

    public PolicyTable Compile(SiteRegistry registry, int version) =>
        new PolicyTableBuilder(registry, name).Build(version);
}

/// <summary>Commits at once, and every tenth time aborts an attempt first.</summary>
internal sealed class FakeWorkload(FakeCluster cluster) : IWorkload
{
    public static WorkloadDefinition Define(Func<FakeCluster> cluster, bool hasTransactions = true) =>
        new("fake", "for tests", _ => new FakeWorkload(cluster()), hasTransactions);

    public Exception? Fault { get; set; }

    public int Loads { get; private set; }

    public Task LoadAsync(WorkloadCluster view, WorkloadVariant variant)
    {
        Loads++;
        return Task.CompletedTask;
    }

    public IWorkloadClient CreateClient(WorkloadCluster view, ClientSettings settings) =>
        new Client(this, cluster, settings);

    public Task<InvariantCheck> CheckAsync(WorkloadCluster view, WorkloadVariant variant) =>
        Task.FromResult(new InvariantCheck(true, "fine"));

    private sealed class Client(FakeWorkload workload, FakeCluster cluster, ClientSettings settings) : IWorkloadClient
    {
        private int _operations;

        public async Task<OperationOutcome> RunOneAsync()
        {
            await Task.Yield();
            if (workload.Fault is { } fault) throw fault;
            if (settings.Variant == WorkloadVariant.Plain) return OperationOutcome.Committed;
            var aborts = ++_operations % 10 == 0 ? 1 : 0;
            lock (cluster)
            {
                var counters = cluster.Counters;
                cluster.Counters = counters with
                {
                    Commits = counters.Commits + 1,
                    Attempts = counters.Attempts + 1 + aborts,
                    Messages = counters.Messages + 4,
                    Bytes = counters.Bytes + 400,
                    Appends = counters.Appends + 1,
                    AbortsByReason = new Dictionary<string, long>
                    {
                        ["Validation"] = counters.AbortsByReason.GetValueOrDefault("Validation") + aborts
                    },
                };
            }

            return OperationOutcome.Committed;
        }
    }
}
