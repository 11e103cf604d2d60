namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>Random transactions with states in logs.</summary>
public sealed class ConsistencyTests(
    KitCluster fixture, ITestOutputHelper output) : ConsistencyCases(fixture, output), IClassFixture<KitCluster>;

/// <summary>Random transactions with states in rows of Orleans' own memory storage.</summary>
public sealed class ConsistencyOnRowsTests(
    RowCluster fixture, ITestOutputHelper output) : ConsistencyCases(fixture, output), IClassFixture<RowCluster>;

/// <summary>Random transactions with silos whose clocks differ.</summary>
public sealed class ConsistencyWithSkewedClocksTests(
    SkewedCluster fixture, ITestOutputHelper output) : ConsistencyCases(fixture, output), IClassFixture<SkewedCluster>;

/// <summary>Random transactions with states in rows, and silos whose clocks differ.</summary>
public sealed class ConsistencyOnRowsWithSkewedClocksTests(
    SkewedRowCluster fixture,
    ITestOutputHelper output) : ConsistencyCases(fixture, output), IClassFixture<SkewedRowCluster>;

/// <summary>
/// Random transactions with states in plain grain storage that fails at random, before and after its effect.
/// </summary>
public sealed class ConsistencyWithFailingGrainStorageTests(
    FaultyGrainStorageCluster fixture,
    ITestOutputHelper output) : ConsistencyCases(fixture, output), IClassFixture<FaultyGrainStorageCluster>
{
    protected override bool StorageErrorInjectionActive => true;
}

/// <summary>
/// Random transactions with states in transactional state storage that
/// fails at random, before, in the middle of and after its effect.
/// </summary>
public sealed class ConsistencyWithFailingStateStorageTests(
    FaultyStateStorageCluster fixture,
    ITestOutputHelper output) : ConsistencyCases(fixture, output), IClassFixture<FaultyStateStorageCluster>
{
    protected override bool StorageErrorInjectionActive => true;
}
