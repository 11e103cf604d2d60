using Polyjuice.Lab.Chaos;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;
using Polyjuice.Testing;

namespace Polyjuice.Lab.Tests.Workloads;

/// <summary>Runs of workloads' own grains on real silos, by numbers of operations.</summary>
internal static class WorkloadRuns
{
    /// <summary>Under each policy in turn, on one cluster; the invariant is checked after each.</summary>
    public static Task<BenchmarkResult> RunAsync(
        WorkloadDefinition workload, IReadOnlyList<IPolicyCompiler> policies, double theta, int operations,
        int accounts)
    {
        var plan = new BenchmarkPlan
        {
            Workload = workload, Policies = policies, Thetas = [theta],
            Shape = new ClusterShape(2, TimeSpan.Zero, TimeSpan.Zero, null), Clients = 16,
            OperationsPerInterval = operations, Repeat = 1, IncludePlain = false,
            Parameters = new WorkloadParameters(accounts),
        };
        return new BenchmarkRunner(BenchmarkClusters.StartAsync, new SilentObserver()).RunAsync(
            plan, CancellationToken.None);
    }

    /// <summary>Under every fault and changing tables, and then once more after all silos have crashed.</summary>
    public static Task<ChaosResult> RunWithFaultsAsync(WorkloadDefinition workload, int seed, int accounts = 20) =>
        ChaosRun.RunAsync(new ChaosCase
        {
            Workload = workload, Parameters = new WorkloadParameters(accounts, (ulong)seed), Seed = seed,
            Partitions = 4, Clients = 8, Time = TimeSpan.FromSeconds(3),
            Faults = ClusterFaults.All(seed, TimeSpan.FromSeconds(2)),
        });
}
