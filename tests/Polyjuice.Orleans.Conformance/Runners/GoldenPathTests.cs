namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>The kit's golden path with states in logs.</summary>
public sealed class GoldenPathTests(
    KitCluster fixture, ITestOutputHelper output) : GoldenPathCases(fixture, output), IClassFixture<KitCluster>;

/// <summary>The kit's golden path with states in rows of Orleans' own memory storage.</summary>
public sealed class GoldenPathOnRowsTests(
    RowCluster fixture, ITestOutputHelper output) : GoldenPathCases(fixture, output), IClassFixture<RowCluster>;

/// <summary>The kit's golden path with silos whose clocks differ.</summary>
public sealed class GoldenPathWithSkewedClocksTests(
    SkewedCluster fixture, ITestOutputHelper output) : GoldenPathCases(fixture, output), IClassFixture<SkewedCluster>;

/// <summary>The kit's golden path with states in rows, and silos whose clocks differ.</summary>
public sealed class GoldenPathOnRowsWithSkewedClocksTests(
    SkewedRowCluster fixture,
    ITestOutputHelper output) : GoldenPathCases(fixture, output), IClassFixture<SkewedRowCluster>;
