namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>Transactions go on after a silo has stopped or died: 4 cases, each on four silos of its own.</summary>
public abstract class RecoveryCases(KitCluster fixture, ITestOutputHelper output) : IAsyncLifetime
{
    public Task InitializeAsync() => fixture.InitializeAsync();

    public Task DisposeAsync() => fixture.DisposeAsync();

    [Theory]
    [InlineData(Kinds.SingleStateTransactionalGrain, 30)]
    [InlineData(Kinds.DoubleStateTransactionalGrain, 20)]
    public Task TransactionWillRecoverAfterRandomSiloGracefulShutdown(string grainClass, int concurrent) =>
        new TransactionRecoveryTestsRunner(
            fixture.Cluster, output.WriteLine).TransactionWillRecoverAfterRandomSiloGracefulShutdown(
            grainClass, concurrent);

    [Theory]
    [InlineData(Kinds.SingleStateTransactionalGrain, 30)]
    [InlineData(Kinds.DoubleStateTransactionalGrain, 20)]
    public Task TransactionWillRecoverAfterRandomSiloUnGracefulShutdown(string grainClass, int concurrent) =>
        new TransactionRecoveryTestsRunner(
            fixture.Cluster, output.WriteLine).TransactionWillRecoverAfterRandomSiloUnGracefulShutdown(
            grainClass, concurrent);
}
