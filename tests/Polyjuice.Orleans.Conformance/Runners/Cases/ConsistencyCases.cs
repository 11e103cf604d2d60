using Orleans.Transactions.TestKit.Consistency;

namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>Random transactions whose observations must have a serial order: 81 cases.</summary>
public abstract class ConsistencyCases(
    KitCluster fixture, ITestOutputHelper output) : ConsistencyTransactionTestRunner(fixture.Grains, output.WriteLine)
{
    protected override bool StorageAdaptorHasLimitedCommitSpace => false;

    protected override bool StorageErrorInjectionActive => false;

    /// <summary>The kit's own combinations.</summary>
    public static TheoryData<int, int, bool, bool, ReadWriteDetermination> Cases
    {
        get
        {
            var cases = new TheoryData<int, int, bool, bool, ReadWriteDetermination>();
            foreach (var grains in (int[])[2, 30, 1000])
            foreach (var avoidTimeouts in (bool[])[true, false])
            foreach (var avoidDeadlocks in (bool[])[true, false])
            foreach (var determination in Enum.GetValues<ReadWriteDetermination>())
            {
                if (grains == 1000
                    ? avoidDeadlocks
                    : !avoidDeadlocks && determination != ReadWriteDetermination.PerAccess)
                    continue;
                var scaleMax = grains > 2 && avoidTimeouts ? 4 : 5;
                for (var scale = 2; scale <= scaleMax; scale++)
                    cases.Add(grains, scale, avoidDeadlocks, avoidTimeouts, determination);
            }

            return cases;
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public override Task RandomizedConsistency(
        int numGrains, int scale, bool avoidDeadlocks, bool avoidTimeouts, ReadWriteDetermination readwrite) =>
        base.RandomizedConsistency(numGrains, scale, avoidDeadlocks, avoidTimeouts, readwrite);
}
