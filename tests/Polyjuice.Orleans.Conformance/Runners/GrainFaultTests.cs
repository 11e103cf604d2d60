namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>Faults of grains with states in logs.</summary>
public sealed class GrainFaultTests(
    KitCluster fixture, ITestOutputHelper output) : GrainFaultCases(fixture, output), IClassFixture<KitCluster>;

/// <summary>Faults of grains with states in rows of Orleans' own memory storage.</summary>
public sealed class GrainFaultOnRowsTests(
    RowCluster fixture, ITestOutputHelper output) : GrainFaultCases(fixture, output), IClassFixture<RowCluster>;
