using Polyjuice.Lab.Chaos;
using Polyjuice.Lab.Workloads;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Testing;
using Tpcc.Workload;

namespace Tpcc.Tests;

/// <summary>The sample's grains on real silos, under random policy tables and everything that can go wrong.</summary>
public class ChaosTests
{
    public static TheoryData<int> Seeds => [.. Enumerable.Range(1, 4)];

    /// <summary>
    /// The run checks the twelve conditions when faults have stopped,
    /// and again when all silos have crashed and only the logs are left.
    /// </summary>
    [Theory]
    [MemberData(nameof(Seeds))]
    public async Task All_conditions_hold_under_all_faults_and_random_tables(int seed)
    {
        var result = await ChaosRun.RunAsync(new ChaosCase
        {
            // Several warehouses, because only then some transactions are across them.
            Workload = TpccWorkload.Definition,
            Parameters = new WorkloadParameters { Warehouses = seed % 3 == 0 ? 4 : 1, Scale = 0.001 },
            Policy = new RandomPolicy((ulong)seed),
            Seed = seed,
            Silos = 1 + (seed % 4),
            Partitions = 1 + (seed % 5),
            Faults = ClusterFaults.All(seed, TimeSpan.FromSeconds(2)),
            Time = TimeSpan.FromSeconds(6),
        });

        Assert.True(result[OperationOutcome.Committed] >= 50, result.ToString());
        Assert.Contains(result.Ledger!.Entries, fault => fault.Target is not null);
    }
}
