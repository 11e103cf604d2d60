namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>Services that are called on commit: 2 cases.</summary>
public abstract class TocGoldenPathCases(
    KitCluster fixture, ITestOutputHelper output) : TocGoldenPathTestRunner(fixture.Grains, output.WriteLine)
{
    [Theory]
    [MemberData(nameof(GrainKinds.CountedFew), MemberType = typeof(GrainKinds))]
    public override Task MultiGrainWriteTransaction(string grainStates, int grainCount) =>
        base.MultiGrainWriteTransaction(grainStates, grainCount);
}
