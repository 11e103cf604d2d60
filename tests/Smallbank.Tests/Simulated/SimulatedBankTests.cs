using Polyjuice.Benchmarking.Simulated;
using Polyjuice.Benchmarking.Workloads;
using Polyjuice.Embedded;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Faults;
using Smallbank.Workload;

namespace Smallbank.Tests.Simulated;

/// <summary>The sample's own grains, in simulated time, under random policy tables and everything that can go wrong.</summary>
public class SimulatedBankTests
{
    public static TheoryData<ulong> Seeds => [.. Enumerable.Range(1, 40).Select(seed => (ulong)seed)];

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Money_is_conserved_under_all_faults_and_random_policies(ulong seed)
    {
        var result = SimulatedWorkload.Run(CaseOf(seed));
        Assert.True(result.Invariant.Holds, result.Invariant.Description);
        Assert.Equal(200, result.Outcomes.Sum());
        Assert.True(result[OperationOutcome.Committed] > 0);
    }

    /// <summary>In virtual time, because a machine that stalls for seconds ends waits by their deadline.</summary>
    [Theory]
    [MemberData(nameof(MoneyIsConservedTests.PoliciesAndMixes), MemberType = typeof(MoneyIsConservedTests))]
    public void Without_faults_no_wait_ends_by_its_deadline_under_any_built_in_table(string policy, string mix)
    {
        var result = SimulatedWorkload.Run(new SimulatedCase
        {
            Workload = MoneyIsConservedTests.Catalogue.Find(mix)!, Policy = BuiltinPolicies.Get(policy), Seed = 1, Silos = 2, Clients = 32, Operations = 600, Accounts = 200, Theta = 0.99,
        });
        Assert.True(result.Invariant.Holds, result.Invariant.Description);
        Assert.Equal(0, result[OperationOutcome.InDoubt]);
        Assert.Equal(0, result.Statistics.Engine.WaitsEndedByDeadline);
    }

    [Theory]
    [InlineData(3)]
    [InlineData(4)]
    public void The_same_seed_gives_the_same_run(ulong seed)
    {
        var first = SimulatedWorkload.Run(CaseOf(seed));
        var second = SimulatedWorkload.Run(CaseOf(seed));
        Assert.Equal(first.Digest, second.Digest);
        Assert.Equal(first.Events, second.Events);
        Assert.Equal(first.Outcomes, second.Outcomes);
        Assert.NotEqual(first.Digest, SimulatedWorkload.Run(CaseOf(seed + 100)).Digest);
    }

    private static SimulatedCase CaseOf(ulong seed) => new()
    {
        Workload = seed % 2 == 0 ? SmallbankWorkload.Smallbank : SmallbankWorkload.MultiTransfer,
        Policy = new RandomPolicy(seed),
        Seed = seed,
        Silos = 1 + (int)(seed % 4),
        Partitions = 1 + (int)(seed % 5),
        Faults = SimulatedFaults.Random(seed, FaultKinds.All),
        ClockSkewMax = seed % 3 == 0 ? 10_000 : 0,
        ThinkMax = 2_000,
    };
}
