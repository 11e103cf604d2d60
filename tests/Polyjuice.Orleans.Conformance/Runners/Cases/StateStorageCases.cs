using Orleans.Transactions.Abstractions;
using Polyjuice.Orleans.Conformance.Storage;

namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>The kit's demands on transactional state storage, through this engine's adapter: 27 cases.</summary>
public abstract class StateStorageCases(
    KitCluster fixture, string store, ITestOutputHelper output) : TransactionalStateStorageTestRunner<TestState>(
    async () => await AdaptedStorage<TestState>.OpenAsync(fixture, store),
    static number => new TestState { state = number }, fixture.Grains, output.WriteLine)
{
    [Fact]
    public override Task FirstTime_Load_ShouldReturnEmptyLoadResponse() =>
        base.FirstTime_Load_ShouldReturnEmptyLoadResponse();

    [Fact]
    public override Task StoreWithoutChanges() => base.StoreWithoutChanges();

    [Fact]
    public override Task WrongEtags() => base.WrongEtags();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public override Task ConfirmOne(bool useTwoSteps) => base.ConfirmOne(useTwoSteps);

    [Fact]
    public override Task CancelOne() => base.CancelOne();

    [Fact]
    public override Task ReplaceOne() => base.ReplaceOne();

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, true)]
    [InlineData(true, false)]
    public override Task ConfirmOneAndCancelOne(bool useTwoSteps, bool reverseOrder) =>
        base.ConfirmOneAndCancelOne(useTwoSteps, reverseOrder);

    [Fact]
    public override Task GrowingBatch() => base.GrowingBatch();

    [Fact]
    public override Task ShrinkingBatch() => base.ShrinkingBatch();

    [Theory]
    [InlineData(99)]
    [InlineData(100)]
    [InlineData(200)]
    public override Task PrepareMany(int count) => base.PrepareMany(count);

    [Theory]
    [InlineData(99, true)]
    [InlineData(99, false)]
    [InlineData(100, true)]
    [InlineData(100, false)]
    [InlineData(200, true)]
    [InlineData(200, false)]
    public override Task ConfirmMany(int count, bool useTwoSteps) => base.ConfirmMany(count, useTwoSteps);

    [Theory]
    [InlineData(99)]
    [InlineData(100)]
    [InlineData(200)]
    public override Task CancelMany(int count) => base.CancelMany(count);

    [Theory]
    [InlineData(99)]
    [InlineData(100)]
    [InlineData(200)]
    public override Task ReplaceMany(int count) => base.ReplaceMany(count);
}
