namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>Transactions that share grains with states in logs.</summary>
public sealed class ConcurrencyTests(
    KitCluster fixture, ITestOutputHelper output) : ConcurrencyCases(fixture, output), IClassFixture<KitCluster>;

/// <summary>Transactions that share grains with states in rows of Orleans' own memory storage.</summary>
public sealed class ConcurrencyOnRowsTests(
    RowCluster fixture, ITestOutputHelper output) : ConcurrencyCases(fixture, output), IClassFixture<RowCluster>;
