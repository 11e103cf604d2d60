using Polyjuice.Benchmarking.Simulated;
using Polyjuice.Benchmarking.Workloads;
using Polyjuice.Benchmarking.Workloads.Doppel;
using Polyjuice.Benchmarking.Workloads.Rubis;
using Polyjuice.Benchmarking.Workloads.Tpce;
using Polyjuice.Embedded;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Faults;

namespace Polyjuice.Benchmarking.Tests.Workloads;

/// <summary>What all workloads that only add up have in common: sums agree with what clients were told.</summary>
public class GrowingWorkloadTests
{
    private static readonly WorkloadDefinition[] _workloads = [IncrementWorkload.Definition, LikeWorkload.Definition, RubisWorkload.Bidding, RubisWorkload.Contended, TpceWorkload.Definition];

    public static TheoryData<string, string> EveryTable
    {
        get
        {
            var data = new TheoryData<string, string>();
            foreach (var workload in _workloads)
            {
                foreach (var policy in BuiltinPolicies.Names) data.Add(workload.Name, policy);
            }

            return data;
        }
    }

    public static TheoryData<string, ulong> Seeds
    {
        get
        {
            var data = new TheoryData<string, ulong>();
            foreach (var workload in _workloads)
            {
                for (var seed = 1UL; seed <= 4; seed++) data.Add(workload.Name, seed);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(EveryTable))]
    public void Sums_are_what_clients_were_told_under_every_built_in_policy(string workload, string policy)
    {
        var result = SimulatedWorkload.Run(new SimulatedCase
        {
            Workload = Named(workload), Policy = BuiltinPolicies.Get(policy), Seed = 1, Silos = 2, Clients = 16, Operations = 200, Accounts = 40, Theta = 1.2,
        });
        Assert.True(result.Invariant.Holds, result.Invariant.Description);
        Assert.True(result[OperationOutcome.Committed] >= 180);
        Assert.Equal(0, result[OperationOutcome.Aborted] + result[OperationOutcome.InDoubt]);
    }

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Sums_are_what_clients_were_told_under_all_faults_and_random_tables(string workload, ulong seed)
    {
        var result = SimulatedWorkload.Run(new SimulatedCase
        {
            Workload = Named(workload), Policy = new RandomPolicy(seed), Seed = seed, Silos = 1 + (int)(seed % 3), Partitions = 4,
            Faults = SimulatedFaults.Random(seed, FaultKinds.All), ThinkMax = 2_000, Operations = 120, Accounts = 20,
        });
        Assert.True(result.Invariant.Holds, result.Invariant.Description);
        Assert.True(result[OperationOutcome.Committed] > 0);
    }

    private static WorkloadDefinition Named(string name) => _workloads.Single(workload => workload.Name == name);
}
