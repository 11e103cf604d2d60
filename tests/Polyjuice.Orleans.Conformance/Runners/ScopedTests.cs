namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>Transactions that code of a silo starts with states in logs.</summary>
public sealed class ScopedTests(
    KitCluster fixture, ITestOutputHelper output) : ScopedCases(fixture, output), IClassFixture<KitCluster>;

/// <summary>Transactions that code of a silo starts with states in rows of Orleans' own memory storage.</summary>
public sealed class ScopedOnRowsTests(
    RowCluster fixture, ITestOutputHelper output) : ScopedCases(fixture, output), IClassFixture<RowCluster>;
