namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>Faults of what is called on commit: 6 cases.</summary>
public abstract class TocFaultCases(
    KitCluster fixture, ITestOutputHelper output) : TocFaultTransactionTestRunner(fixture.Grains, output.WriteLine)
{
    [Theory]
    [MemberData(nameof(GrainKinds.Counted), MemberType = typeof(GrainKinds))]
    public override Task MultiGrainWriteTransactionWithCommitFailure(string grainStates, int grainCount) =>
        base.MultiGrainWriteTransactionWithCommitFailure(grainStates, grainCount);

    [Theory]
    [MemberData(nameof(GrainKinds.Counted), MemberType = typeof(GrainKinds))]
    public override Task MultiGrainWriteTransactionWithCommitException(string grainStates, int grainCount) =>
        base.MultiGrainWriteTransactionWithCommitException(grainStates, grainCount);
}
