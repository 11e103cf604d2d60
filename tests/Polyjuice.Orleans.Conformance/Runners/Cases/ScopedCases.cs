using Microsoft.Extensions.DependencyInjection;

namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>Transactions that code of a silo starts: 12 cases.</summary>
public abstract class ScopedCases(
    KitCluster fixture,
    ITestOutputHelper output)
        : ScopedTransactionsTestRunner(
            fixture.SiloServices.GetRequiredService<IGrainFactory>(),
            fixture.SiloServices.GetRequiredService<ITransactionClient>(),
            output.WriteLine)
{
    [Theory]
    [MemberData(nameof(GrainKinds.All), MemberType = typeof(GrainKinds))]
    public override Task CreateTransactionScopeAndSetValue(string grainStates) =>
        base.CreateTransactionScopeAndSetValue(grainStates);

    [Theory]
    [MemberData(nameof(GrainKinds.All), MemberType = typeof(GrainKinds))]
    public override Task CreateTransactionScopeAndSetValueWithFailure(string grainStates) =>
        base.CreateTransactionScopeAndSetValueWithFailure(grainStates);

    [Theory]
    [MemberData(nameof(GrainKinds.All), MemberType = typeof(GrainKinds))]
    public override Task CreateTransactionScopeAndSetValueAndAssert(string grainStates) =>
        base.CreateTransactionScopeAndSetValueAndAssert(grainStates);

    [Theory]
    [MemberData(nameof(GrainKinds.All), MemberType = typeof(GrainKinds))]
    public override Task CreateNestedTransactionScopeAndSetValueAndInnerFailAndAssert(string grainStates) =>
        base.CreateNestedTransactionScopeAndSetValueAndInnerFailAndAssert(grainStates);
}
