namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>Transactions that share grains: 9 cases.</summary>
public abstract class ConcurrencyCases(
    KitCluster fixture, ITestOutputHelper output) : TransactionConcurrencyTestRunner(fixture.Grains, output.WriteLine)
{
    [Theory]
    [MemberData(nameof(GrainKinds.All), MemberType = typeof(GrainKinds))]
    public override Task SingleSharedGrainTest(string grainStates) => base.SingleSharedGrainTest(grainStates);

    [Theory]
    [MemberData(nameof(GrainKinds.All), MemberType = typeof(GrainKinds))]
    public override Task TransactionChainTest(string grainStates) => base.TransactionChainTest(grainStates);

    [Theory]
    [MemberData(nameof(GrainKinds.All), MemberType = typeof(GrainKinds))]
    public override Task TransactionTreeTest(string grainStates) => base.TransactionTreeTest(grainStates);
}
