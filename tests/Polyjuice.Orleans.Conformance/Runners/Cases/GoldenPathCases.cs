namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>The kit's golden path: 24 cases.</summary>
public abstract class GoldenPathCases(
    KitCluster fixture, ITestOutputHelper output) : GoldenPathTransactionTestRunner(fixture.Grains, output.WriteLine)
{
    [Theory]
    [MemberData(nameof(GrainKinds.All), MemberType = typeof(GrainKinds))]
    public override Task SingleGrainReadTransaction(string grainStates) => base.SingleGrainReadTransaction(grainStates);

    [Theory]
    [MemberData(nameof(GrainKinds.All), MemberType = typeof(GrainKinds))]
    public override Task SingleGrainWriteTransaction(string grainStates) =>
        base.SingleGrainWriteTransaction(grainStates);

    [Theory]
    [MemberData(nameof(GrainKinds.Counted), MemberType = typeof(GrainKinds))]
    public override Task MultiGrainWriteTransaction(string grainStates, int grainCount) =>
        base.MultiGrainWriteTransaction(grainStates, grainCount);

    [Theory]
    [MemberData(nameof(GrainKinds.Counted), MemberType = typeof(GrainKinds))]
    public override Task MultiGrainReadWriteTransaction(string grainStates, int grainCount) =>
        base.MultiGrainReadWriteTransaction(grainStates, grainCount);

    [Theory]
    [MemberData(nameof(GrainKinds.Counted), MemberType = typeof(GrainKinds))]
    public override Task RepeatGrainReadWriteTransaction(string grainStates, int grainCount) =>
        base.RepeatGrainReadWriteTransaction(grainStates, grainCount);

    [Theory]
    [MemberData(nameof(GrainKinds.All), MemberType = typeof(GrainKinds))]
    public override Task MultiWriteToSingleGrainTransaction(string grainStates) =>
        base.MultiWriteToSingleGrainTransaction(grainStates);

    [Theory]
    [MemberData(nameof(GrainKinds.Counted), MemberType = typeof(GrainKinds))]
    public override Task RWRWTest(string grainStates, int grainCount) => base.RWRWTest(grainStates, grainCount);

    [Theory]
    [MemberData(nameof(GrainKinds.Counted), MemberType = typeof(GrainKinds))]
    public override Task WRWRTest(string grainStates, int grainCount) => base.WRWRTest(grainStates, grainCount);
}
