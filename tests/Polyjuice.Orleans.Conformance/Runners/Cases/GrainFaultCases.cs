namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>Faults of grains: 15 cases.</summary>
public abstract class GrainFaultCases(
    KitCluster fixture, ITestOutputHelper output) : GrainFaultTransactionTestRunner(fixture.Grains, output.WriteLine)
{
    [Theory]
    [MemberData(nameof(GrainKinds.All), MemberType = typeof(GrainKinds))]
    public override Task AbortTransactionOnExceptions(string grainStates) =>
        base.AbortTransactionOnExceptions(grainStates);

    [Theory]
    [MemberData(nameof(GrainKinds.All), MemberType = typeof(GrainKinds))]
    public override Task AbortTransactionOnReadOnlyViolatedException(string grainStates) =>
        base.AbortTransactionOnReadOnlyViolatedException(grainStates);

    [Theory]
    [MemberData(nameof(GrainKinds.All), MemberType = typeof(GrainKinds))]
    public override Task MultiGrainAbortTransactionOnExceptions(string grainStates) =>
        base.MultiGrainAbortTransactionOnExceptions(grainStates);

    [Theory]
    [MemberData(nameof(GrainKinds.All), MemberType = typeof(GrainKinds))]
    public override Task AbortTransactionExceptionInnerExceptionOnlyContainsOneRootCauseException(string grainStates) =>
        base.AbortTransactionExceptionInnerExceptionOnlyContainsOneRootCauseException(grainStates);

    [Theory]
    [MemberData(nameof(GrainKinds.All), MemberType = typeof(GrainKinds))]
    public override Task AbortTransactionOnOrphanCalls(string grainStates) =>
        base.AbortTransactionOnOrphanCalls(grainStates);
}
