using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.Micro;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Tests.Workloads;

public class MicroWorkloadTests
{
    [Fact]
    public async Task Every_transaction_counts_once_in_each_table_under_every_built_in_policy()
    {
        var result = await WorkloadRuns.RunAsync(
            MicroWorkload.Definition, BuiltinPolicies.All, theta: 0.99, operations: 200, accounts: 40);

        Assert.True(
            result.InvariantHeld,
            string.Join(
                Environment.NewLine,
                result.Checks.Where(check => !check.Check.Holds)
                    .Select(check => $"{check.Arm.Name}: {check.Check.Description}")));
        Assert.All(result.Rows, row => Assert.Equal(200, row.Committed));
    }

    [Fact]
    public async Task Counts_agree_under_all_faults_and_random_tables() =>
        Assert.True(
            (await WorkloadRuns.RunWithFaultsAsync(MicroWorkload.Definition, seed: 4))[OperationOutcome.Committed] > 0);

    [Fact]
    public void A_table_that_lacks_a_count_is_named()
    {
        var counts = new MicroCounts { Hot = 5, Cold = 14, Shared = 15 };
        counts.Own[3] = 5;
        var check = counts.Check(Told(type: 3, committed: 5, inDoubt: 0));
        Assert.False(check.Holds);
        Assert.Equal(
            "COUNTS DO NOT AGREE: cold records were updated 14 times, and should have been 15 times by 5 transactions",
            check.Description);
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
        [
            .. Enumerable.Range(0, MicroWorkload.Types)
            .Select(other => other == type ? Tallies.Told(committed, inDoubt) : new Tally())
        ];
}
