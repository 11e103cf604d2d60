using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.Doppel;
using Polyjuice.Lab.Workloads.Rubis;
using Polyjuice.Lab.Workloads.Tpce;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Tests.Workloads;

/// <summary>What all workloads that only add up have in common: sums agree with what clients were told.</summary>
public class GrowingWorkloadTests
{
    private static readonly WorkloadDefinition[] _workloads =
    [
        IncrementWorkload.Definition, LikeWorkload.Definition, RubisWorkload.Bidding, RubisWorkload.Contended,
        TpceWorkload.Definition
    ];

    public static TheoryData<string> All => [.. _workloads.Select(workload => workload.Name)];

    [Theory]
    [MemberData(nameof(All))]
    public async Task Sums_are_what_clients_were_told_under_every_built_in_policy(string workload)
    {
        var result = await WorkloadRuns.RunAsync(
            Named(workload), BuiltinPolicies.All, theta: 1.2, operations: 200, accounts: 40);

        Assert.True(
            result.InvariantHeld,
            string.Join(
                Environment.NewLine,
                result.Checks.Where(check => !check.Check.Holds)
                    .Select(check => $"{check.Arm.Name}: {check.Check.Description}")));
        Assert.Equal(BuiltinPolicies.All.Count, result.Rows.Count);
        Assert.All(
            result.Rows,
            row => Assert.True(
                row.Committed >= 180 && row.GivenUp + row.InDoubt == 0,
                $"{row.Policy}: {row.Committed} committed, {row.GivenUp} given up, {row.InDoubt} in doubt"));
    }

    [Theory]
    [MemberData(nameof(All))]
    public async Task Sums_are_what_clients_were_told_under_all_faults_and_random_tables(string workload)
    {
        var result = await WorkloadRuns.RunWithFaultsAsync(Named(workload), seed: 3);

        Assert.True(result[OperationOutcome.Committed] > 0);
    }

    private static WorkloadDefinition Named(string name) => _workloads.Single(workload => workload.Name == name);
}
