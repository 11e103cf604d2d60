using Orleans.TestingHost;

namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>Transactions go on after a silo has stopped or died: 4 cases, each on four silos of its own.</summary>
public sealed class RecoveryTests(ITestOutputHelper output) : IAsyncLifetime
{
    private readonly FourSilos _fixture = new();

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

    private sealed class FourSilos : KitCluster
    {
        protected override short Silos => 4;

        protected override void Configure(TestClusterBuilder builder) => builder.AddSiloBuilderConfigurator<SuddenDeath.Configurator>();
    }
}
