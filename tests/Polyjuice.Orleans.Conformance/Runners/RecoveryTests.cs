using Orleans.TestingHost;

namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>Recovery with states in logs.</summary>
public sealed class RecoveryTests(ITestOutputHelper output) : RecoveryCases(new FourSilos(), output)
{
    private sealed class FourSilos : KitCluster
    {
        protected override short Silos => 4;

        protected override void Configure(TestClusterBuilder builder) =>
            builder.AddSiloBuilderConfigurator<SuddenDeath.Configurator>();
    }
}

/// <summary>Recovery with states in rows that outlive silos.</summary>
public sealed class RecoveryOnRowsTests(ITestOutputHelper output) : RecoveryCases(new StoredRowCluster(), output);
