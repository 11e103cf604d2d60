namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>Faults of what is called on commit: 6 cases.</summary>
public sealed class TocFaultTests(KitCluster fixture, ITestOutputHelper output) : TocFaultTransactionTestRunner(fixture.Grains, output.WriteLine), IClassFixture<KitCluster>
{
    [Theory]
    [MemberData(nameof(GrainKinds.Counted), MemberType = typeof(GrainKinds))]
    public override Task MultiGrainWriteTransactionWithCommitFailure(string grainStates, int grainCount) => base.MultiGrainWriteTransactionWithCommitFailure(grainStates, grainCount);

    [Theory]
    [MemberData(nameof(GrainKinds.Counted), MemberType = typeof(GrainKinds))]
    public override Task MultiGrainWriteTransactionWithCommitException(string grainStates, int grainCount) => base.MultiGrainWriteTransactionWithCommitException(grainStates, grainCount);
}
