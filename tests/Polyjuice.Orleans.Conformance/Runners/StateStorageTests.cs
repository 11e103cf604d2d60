namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>Orleans' own grain storage in memory, in Orleans' own wrapper.</summary>
public sealed class StateStorageOnGrainStorageTests(
    StorageCluster fixture,
    ITestOutputHelper output)
        : StateStorageCases(fixture, Kinds.TransactionStore, output), IClassFixture<StorageCluster>;

/// <summary>A provider of transactional state storage that splits its stores.</summary>
public sealed class StateStorageOnStateStorageTests(
    StorageCluster fixture,
    ITestOutputHelper output)
        : StateStorageCases(fixture, StorageCluster.StateStore, output), IClassFixture<StorageCluster>;
