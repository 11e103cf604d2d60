using Polyjuice.Benchmarking.Simulated;
using Polyjuice.Benchmarking.Workloads;
using Polyjuice.Embedded;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Faults;
using Tpcc.Tests.Policies;
using Tpcc.Workload;
using Xunit.Abstractions;

namespace Tpcc.Tests.Simulated;

/// <summary>The sample's grains in simulated time: random tables, and everything that can go wrong.</summary>
public class SimulatedTpccTests(ITestOutputHelper output)
{
    public static TheoryData<ulong> Seeds => [.. Enumerable.Range(1, 12).Select(seed => (ulong)seed)];

    public static TheoryData<string> Policies => [.. BuiltinPolicies.Names];

    /// <summary>The run checks the twelve conditions when faults have stopped, and again when all silos have died and only the logs are left.</summary>
    [Theory]
    [MemberData(nameof(Seeds))]
    public void All_conditions_hold_under_all_faults_and_random_tables(ulong seed)
    {
        var result = SimulatedWorkload.Run(new SimulatedCase
        {
            // Several warehouses, because only then some transactions are across them.
            Workload = Small(warehouses: seed % 3 == 0 ? 4 : 1),
            Policy = new RandomPolicy(seed),
            Seed = seed,
            Silos = 1 + (int)(seed % 4),
            Partitions = 1 + (int)(seed % 5),
            Faults = SimulatedFaults.Random(seed, FaultKinds.All),
            ClockSkewMax = seed % 3 == 0 ? 10_000 : 0,
            ThinkMax = 2_000,
            Operations = 120,
        });
        Assert.True(result.Invariant.Holds, result.Invariant.Description);
        Assert.Equal(120, result.Outcomes.Sum());
        Assert.True(result[OperationOutcome.Committed] > 0);
    }

    /// <summary>Without faults there is nothing that an operation could be given up for.</summary>
    [Theory]
    [MemberData(nameof(Policies))]
    public void Without_faults_every_operation_ends_as_it_should_under_every_built_in_table(string policy)
    {
        var result = SimulatedWorkload.Run(new SimulatedCase
        {
            Workload = Small(warehouses: 1),
            Policy = BuiltinPolicies.Get(policy),
            Seed = 1,
            Silos = 2,
            Clients = 24,
            Operations = 300,
        });
        output.WriteLine($"{policy}: {result[OperationOutcome.Committed] / result.Loaded.TotalSeconds:F0} per virtual second, {result.Statistics.Engine.Attempts} attempts, aborts: "
            + string.Join(", ", result.Statistics.Engine.ByType.Select(type => $"{type.Type} {type.Aborts} of {type.Attempts}")));
        Assert.Equal((0, 0), (result[OperationOutcome.Aborted], result[OperationOutcome.InDoubt]));
        Assert.Equal(0, result.Statistics.Engine.WaitsEndedByDeadline);
    }

    public static TheoryData<string> Files => ["48th-1wh.txt", "48th-4wh.txt", "1th-1wh.txt", LearnedTableTests.Table];

    /// <summary>In virtual time, because a machine that stalls for seconds ends waits by their deadline.</summary>
    [Theory]
    [MemberData(nameof(Files))]
    public void Without_faults_no_wait_ends_by_its_deadline_under_tables_of_files(string file)
    {
        var result = SimulatedWorkload.Run(new SimulatedCase
        {
            Workload = Small(warehouses: 1), Policy = new DocumentPolicy(file == LearnedTableTests.Table ? PolicyReader.Load(file) : PaperRowsTests.Folded(file)), Seed = 1, Silos = 2, Clients = 16, Operations = 300,
        });
        Assert.True(result.Invariant.Holds, result.Invariant.Description);
        Assert.Equal(0, result.Statistics.Engine.WaitsEndedByDeadline);
    }

    private static WorkloadDefinition Small(int warehouses) => TpccWorkload.Definition with
    {
        Create = parameters => TpccWorkload.Definition.Create(parameters with { Warehouses = warehouses, Scale = 0.001 }),
    };
}
