using Polyjuice.Storage;

namespace Polyjuice.Tests.Storage;

public sealed class MemoryLogStoreTests
{
    private readonly IPartitionLog _log = new MemoryLogStore(2).Open(1);

    [Fact]
    public async Task Batches_are_read_back_in_the_order_of_their_positions()
    {
        Assert.Equal(AppendResult.Appended, await Append(0, 1, 10));
        Assert.Equal(AppendResult.Appended, await Append(1, 2, 20, 21));
        Assert.Equal(2, await _log.GetEndAsync(CancellationToken.None));
        Assert.Equal([[10], [20, 21]], await ReadAsync(0, 2));
        Assert.Equal([[20, 21]], await ReadAsync(1, 2));
    }

    [Fact]
    public async Task A_repeated_append_of_the_batch_that_is_there_is_appended_and_changes_nothing()
    {
        await Append(0, 1, 10);
        await Append(1, 2, 20);
        Assert.Equal(AppendResult.Appended, await Append(0, 1, 10));
        Assert.Equal(2, await _log.GetEndAsync(CancellationToken.None));
    }

    [Fact]
    public async Task A_rival_batch_at_a_taken_position_is_a_conflict_and_leaves_no_trace()
    {
        await Append(0, 1, 10);
        Assert.Equal(AppendResult.Conflict, await Append(0, 2, 99));
        Assert.Equal([[10]], await ReadAsync(0, 1));
    }

    [Fact]
    public async Task An_append_behind_the_end_is_a_conflict()
    {
        Assert.Equal(AppendResult.Conflict, await Append(1, 1, 10));
        Assert.Equal(0, await _log.GetEndAsync(CancellationToken.None));
    }

    [Fact]
    public async Task A_copy_goes_on_on_its_own()
    {
        var store = new MemoryLogStore(1, takesCheckpoints: true);
        var log = store.Open(0);
        for (byte i = 0; i < 3; i++)
            await log.AppendAsync(i, new BatchId(1, i), new byte[] { i }, CancellationToken.None);
        await log.WriteCheckpointAsync(2, Pieces(), CancellationToken.None);
        await log.TrimAsync(CancellationToken.None);

        var copy = store.Copy().Open(0);
        await log.AppendAsync(3, new BatchId(1, 3), new byte[] { 3 }, CancellationToken.None);
        await copy.AppendAsync(3, new BatchId(2, 3), new byte[] { 33 }, CancellationToken.None);
        await copy.AppendAsync(4, new BatchId(2, 4), new byte[] { 34 }, CancellationToken.None);

        Assert.True(copy.TakesCheckpoints);
        Assert.Equal(2, (await copy.GetCheckpointAsync(CancellationToken.None))!.Position);
        Assert.Equal(4, await log.GetEndAsync(CancellationToken.None));
        Assert.Equal([[2], [3]], await ReadAsync(log, 2, 4));
        Assert.Equal([[2], [33], [34]], await ReadAsync(copy, 2, 5));

        static async IAsyncEnumerable<ReadOnlyMemory<byte>> Pieces()
        {
            yield return new byte[] { 9 };
            await ValueTask.CompletedTask;
        }
    }

    [Fact]
    public async Task The_log_keeps_its_own_copy_of_the_bytes()
    {
        var bytes = new byte[] { 1 };
        await _log.AppendAsync(0, new BatchId(1, 1), bytes, CancellationToken.None);
        bytes[0] = 2;
        Assert.Equal([[1]], await ReadAsync(0, 1));
    }

    [Fact]
    public async Task Partitions_are_apart_and_a_log_opened_twice_is_the_same()
    {
        var store = new MemoryLogStore(2);
        await store.Open(0).AppendAsync(0, new BatchId(1, 1), new byte[] { 1 }, CancellationToken.None);
        Assert.Equal(1, await store.Open(0).GetEndAsync(CancellationToken.None));
        Assert.Equal(0, await store.Open(1).GetEndAsync(CancellationToken.None));
    }

    [Fact]
    public async Task Reading_what_is_not_there_throws() =>
        await Assert.ThrowsAsync<InvalidOperationException>(() => ReadAsync(0, 1));

    [Theory]
    [InlineData(0)]
    [InlineData(65_537)]
    public void A_store_has_1_to_65536_partitions(int partitions) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new MemoryLogStore(partitions));

    private async Task<AppendResult> Append(long position, long batch, params byte[] bytes) =>
        await _log.AppendAsync(position, new BatchId(1, batch), bytes, CancellationToken.None);

    private Task<List<byte[]>> ReadAsync(long from, long to) => ReadAsync(_log, from, to);

    private static async Task<List<byte[]>> ReadAsync(IPartitionLog log, long from, long to)
    {
        var batches = new List<byte[]>();
        await foreach (var batch in log.ReadAsync(from, to, CancellationToken.None)) batches.Add(batch.ToArray());
        return batches;
    }
}
