using Polyjuice.Benchmarking.Simulated;
using Polyjuice.Benchmarking.Workloads;
using Polyjuice.Benchmarking.Workloads.Micro;
using Polyjuice.Embedded;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Faults;

namespace Polyjuice.Benchmarking.Tests.Workloads;

public class MicroWorkloadTests
{
    public static TheoryData<string> Policies => [.. BuiltinPolicies.Names];

    public static TheoryData<ulong> Seeds => [.. Enumerable.Range(1, 8).Select(seed => (ulong)seed)];

    [Theory]
    [MemberData(nameof(Policies))]
    public void Every_transaction_counts_once_in_each_table_under_every_built_in_policy(string policy)
    {
        var result = SimulatedWorkload.Run(new SimulatedCase
        {
            Workload = MicroWorkload.Definition, Policy = BuiltinPolicies.Get(policy), Seed = 1, Silos = 2, Clients = 16, Operations = 200, Accounts = 40, Theta = 0.99,
        });
        Assert.True(result.Invariant.Holds, result.Invariant.Description);
        Assert.Equal(200, result[OperationOutcome.Committed]);
        Assert.Equal(0, result.Statistics.Engine.WaitsEndedByDeadline);
        Assert.Equal(Enumerable.Range(1, MicroWorkload.Types).Select(n => $"IHotRecordGrain.Micro{n}").Order(StringComparer.Ordinal), TypesOf(result));
    }

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Counts_agree_under_all_faults_and_random_tables(ulong seed)
    {
        var result = SimulatedWorkload.Run(new SimulatedCase
        {
            Workload = MicroWorkload.Definition, Policy = new RandomPolicy(seed), Seed = seed, Silos = 1 + (int)(seed % 3), Partitions = 4,
            Faults = SimulatedFaults.Random(seed, FaultKinds.All), ThinkMax = 2_000, Operations = 120, Accounts = 20,
        });
        Assert.True(result.Invariant.Holds, result.Invariant.Description);
        Assert.True(result[OperationOutcome.Committed] > 0);
    }

    [Fact]
    public void A_table_that_lacks_a_count_is_named()
    {
        var counts = new MicroCounts { Hot = 5, Cold = 14, Shared = 15 };
        counts.Own[3] = 5;
        var check = counts.Check(Told(type: 3, committed: 5, inDoubt: 0));
        Assert.False(check.Holds);
        Assert.Equal("COUNTS DO NOT AGREE: cold records were updated 14 times, and should have been 15 times by 5 transactions", check.Description);
    }

    [Theory]
    [InlineData(4, 0, false)]
    [InlineData(4, 1, true)]
    [InlineData(5, 1, true)]
    [InlineData(6, 0, false)]
    public void What_is_in_doubt_may_have_counted_or_not(int committed, int inDoubt, bool holds)
    {
        var counts = new MicroCounts { Hot = 5, Cold = 15, Shared = 15 };
        counts.Own[9] = 5;
        Assert.Equal(holds, counts.Check(Told(type: 9, committed, inDoubt)).Holds);
    }

    private static IReadOnlyList<Tally> Told(int type, long committed, long inDoubt) =>
        [.. Enumerable.Range(0, MicroWorkload.Types).Select(other => other == type ? Tallies.Told(committed, inDoubt) : new Tally())];

    private static IEnumerable<string> TypesOf(SimulatedResult result) =>
        result.Statistics.Engine.ByType.Select(type => type.Type).Where(type => type.Contains(".Micro", StringComparison.Ordinal)).Order(StringComparer.Ordinal);
}
