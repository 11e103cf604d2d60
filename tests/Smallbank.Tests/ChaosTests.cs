using Polyjuice.Lab.Chaos;
using Polyjuice.Lab.Workloads;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Testing;
using Smallbank.Workload;

namespace Smallbank.Tests;

/// <summary>
/// The sample's own grains on real silos, under random policy tables and everything that can go wrong.
/// </summary>
public class ChaosTests
{
    public static TheoryData<int> Seeds => [.. Enumerable.Range(1, 6)];

    /// <summary>
    /// The run counts the money when faults have stopped, and again
    /// when all silos have crashed and only the logs are left.
    /// </summary>
    [Theory]
    [MemberData(nameof(Seeds))]
    public async Task Money_is_conserved_under_all_faults_and_random_policies(int seed)
    {
        var result = await ChaosRun.RunAsync(new ChaosCase
        {
            Workload = seed % 2 == 0 ? SmallbankWorkload.Smallbank : SmallbankWorkload.MultiTransfer,
            Parameters = new WorkloadParameters(Accounts: 200),
            Policy = new RandomPolicy((ulong)seed),
            Seed = seed,
            Silos = 1 + (seed % 4),
            Partitions = 1 + (seed % 5),
            Faults = ClusterFaults.All(seed, TimeSpan.FromSeconds(1)),
            Time = TimeSpan.FromSeconds(3),
        });

        Assert.True(result[OperationOutcome.Committed] >= 50, result.ToString());
        Assert.Contains(result.Ledger!.Entries, fault => fault.Target is not null);
    }
}
