namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>Services that are called on commit with states in logs.</summary>
public sealed class TocGoldenPathTests(
    KitCluster fixture, ITestOutputHelper output) : TocGoldenPathCases(fixture, output), IClassFixture<KitCluster>;

/// <summary>Services that are called on commit with states in rows of Orleans' own memory storage.</summary>
public sealed class TocGoldenPathOnRowsTests(
    RowCluster fixture, ITestOutputHelper output) : TocGoldenPathCases(fixture, output), IClassFixture<RowCluster>;
