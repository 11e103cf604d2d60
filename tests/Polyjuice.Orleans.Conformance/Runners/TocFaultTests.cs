namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>Faults of what is called on commit with states in logs.</summary>
public sealed class TocFaultTests(
    KitCluster fixture, ITestOutputHelper output) : TocFaultCases(fixture, output), IClassFixture<KitCluster>;

/// <summary>Faults of what is called on commit with states in rows of Orleans' own memory storage.</summary>
public sealed class TocFaultOnRowsTests(
    RowCluster fixture, ITestOutputHelper output) : TocFaultCases(fixture, output), IClassFixture<RowCluster>;
