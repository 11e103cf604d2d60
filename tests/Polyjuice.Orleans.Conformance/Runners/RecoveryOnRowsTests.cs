namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>The same 4 cases with states in rows that outlive silos.</summary>
public sealed class RecoveryOnRowsTests(ITestOutputHelper output) : IAsyncLifetime
{
    private readonly StoredRowCluster _fixture = new();

    public Task InitializeAsync() => _fixture.InitializeAsync();

    public Task DisposeAsync() => _fixture.DisposeAsync();

    [Theory]
    [InlineData(Kinds.SingleStateTransactionalGrain, 30)]
    [InlineData(Kinds.DoubleStateTransactionalGrain, 20)]
    public Task TransactionWillRecoverAfterRandomSiloGracefulShutdown(string grainClass, int concurrent) =>
        new TransactionRecoveryTestsRunner(_fixture.Cluster, output.WriteLine).TransactionWillRecoverAfterRandomSiloGracefulShutdown(grainClass, concurrent);

    [Theory]
    [InlineData(Kinds.SingleStateTransactionalGrain, 30)]
    [InlineData(Kinds.DoubleStateTransactionalGrain, 20)]
    public Task TransactionWillRecoverAfterRandomSiloUnGracefulShutdown(string grainClass, int concurrent) =>
        new TransactionRecoveryTestsRunner(_fixture.Cluster, output.WriteLine).TransactionWillRecoverAfterRandomSiloUnGracefulShutdown(grainClass, concurrent);
}
