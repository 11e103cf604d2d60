namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary><c>[UseExclusiveLock]</c>: 2 cases.</summary>
public sealed class ExclusiveLockTests(
    KitCluster fixture,
    ITestOutputHelper output)
        : ExclusiveLockTransactionTestRunner(fixture.Grains, output.WriteLine), IClassFixture<KitCluster>
{
    // Demands that some of the transactions fail with the exceptions of Orleans' own locks. Here all of them commit.
    [Theory]
    [Trait("Category", "OwnEngineOnly")]
    [InlineData(Kinds.SingleStateTransactionalGrain)]
    public override Task ConcurrentReadThenWriteWithoutExclusiveLock_ThrowsLockException(string grainStates) =>
        base.ConcurrentReadThenWriteWithoutExclusiveLock_ThrowsLockException(grainStates);

    [Theory]
    [InlineData(Kinds.SingleStateTransactionalGrain)]
    public override Task ConcurrentReadThenWriteWithExclusiveLock_NoLockException(string grainStates) =>
        base.ConcurrentReadThenWriteWithExclusiveLock_NoLockException(grainStates);
}
