using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.House;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Tests.Workloads;

public class HouseWorkloadTests
{
    [Theory]
    [InlineData(80, 1, 0)]
    [InlineData(10, 4, 0.99)]
    public async Task Money_is_conserved_in_every_phase(int pays, int houses, double theta)
    {
        var result = await WorkloadRuns.RunAsync(
            Of(pays, houses, theta),
                [.. new[] { "occ", "locking", "ic3", "dirty-public" }.Select(BuiltinPolicies.Get)], theta: 0,
                operations: 120, accounts: 30);

        Assert.True(result.InvariantHeld,
            string.Join(Environment.NewLine, result.Checks.Select(check => check.Check.Description)));
        Assert.All(result.Rows, row => Assert.Equal(120, row.Committed));
    }

    [Fact]
    public async Task Money_is_conserved_under_all_faults_and_random_tables() =>
        Assert.True((await WorkloadRuns.RunWithFaultsAsync(Of(60, 2, 0.9), seed: 5, accounts: 16))[
            OperationOutcome.Committed] > 0);

    private static WorkloadDefinition Of(int pays, int houses, double theta) => HouseWorkload.Definition with
    {
        Create = parameters =>
        {
            var workload = (HouseWorkload)HouseWorkload.Definition.Create(parameters);
            workload.Phase = new HousePhase(pays, houses, theta);
            return workload;
        },
    };
}
