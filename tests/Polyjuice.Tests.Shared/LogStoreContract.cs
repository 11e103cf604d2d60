using Polyjuice.Storage;

namespace Polyjuice.Tests.Shared;

/// <summary>
/// What the logs of a store promise, on whatever device, as tests: a store inherits them. Each test has a place of its
/// own.
/// </summary>
public abstract class LogStoreContract
{
    /// <summary>Opens the place of this test, as one process would, without a lock.</summary>
    /// <param name="configure">Sets what is different this time.</param>
    private protected abstract Task<SegmentedLogStore> OpenAsync(Action<SegmentedLogOptions>? configure = null);

    [ConditionalFact]
    public async Task What_was_appended_is_there_after_reopening()
    {
        await using (var store = await OpenAsync()) await store.Open(7).Fill(10, 300);
        await using (var again = await OpenAsync())
        {
            Assert.Equal(8, again.PartitionCount);
            Assert.Equal(10, await again.Open(7).End());
            Assert.Equal(LogCalls.Batch(6, 300), (await again.Open(7).Read(6, 7)).Single());
            Assert.Equal(0, await again.Open(0).End());
        }

        await Assert.ThrowsAsync<LogUnusableException>(() => OpenAsync(options => options.Partitions = 9));
    }

    [ConditionalFact]
    public async Task Segments_are_ended_by_size_and_read_on_over_their_ends()
    {
        await using var store = await OpenAsync(options => options.SegmentBytes = 4_096);
        await store.Open(0).Fill(40, 500);
        var batches = await store.Open(0).Read(3, 40);
        Assert.Equal(37, batches.Count);
        for (var i = 0; i < batches.Count; i++) Assert.Equal(LogCalls.Batch(i + 3, 500), batches[i]);
    }

    [ConditionalFact]
    public async Task Checkpoints_stand_for_what_is_trimmed()
    {
        var content = new byte[5_000_000];
        new Random(1).NextBytes(content);
        await using (var store = await OpenAsync(options => options.SegmentBytes = 4_096))
        {
            await store.Open(0).Fill(50, 300);
            await store.Open(0).WriteCheckpointAsync(40, LogCalls.Pieces(content, [7]), default);
            Assert.InRange(await store.Open(0).TrimAsync(default), 28, 40);
            await store.Open(0).Fill(5);
            await store.Open(0).WriteCheckpointAsync(55, LogCalls.Pieces(content, [8]), default);
            await store.Open(0).TrimAsync(default);
        }

        await using var again = await OpenAsync();
        var checkpoint = await again.Open(0).GetCheckpointAsync(default);
        Assert.Equal(55, checkpoint!.Position);
        Assert.Equal([.. content, 8], await checkpoint.ReadAll());
        Assert.Equal(55, await again.Open(0).End());
        await Assert.ThrowsAsync<LogTrimmedException>(() => again.Open(0).Read(0, 55));
        Assert.Equal(AppendResult.Appended, await again.Open(0).Append(55, 99, 1));
    }

    [ConditionalFact]
    public async Task A_batch_longer_than_an_append_comes_back_whole()
    {
        var batch = new byte[9_000_000];
        new Random(2).NextBytes(batch);
        await using (var store = await OpenAsync())
        {
            await store.Open(0).Append(0, 1, 1);
            Assert.Equal(AppendResult.Appended, await store.Open(0).Append(1, 2, batch));
        }

        await using var again = await OpenAsync();
        Assert.Equal(batch, (await again.Open(0).Read(1, 2)).Single());
    }

    [ConditionalFact]
    public async Task Of_two_processes_exactly_one_gets_each_position_and_both_read_the_same()
    {
        await using var one = await OpenAsync(options => options.SegmentBytes = 4_096);
        await using var other = await OpenAsync(options => options.SegmentBytes = 4_096);
        for (var position = 0; position < 40; position++)
        {
            var first = one.Open(0).Append(position, 1_000 + position, LogCalls.Batch(1, 400));
            var second = other.Open(0).Append(position, 2_000 + position, LogCalls.Batch(2, 400));
            var results = await Task.WhenAll(first, second);
            Assert.Single(results, AppendResult.Appended);
            Assert.Single(results, AppendResult.Conflict);
            Assert.Equal(
                results[0] == AppendResult.Appended ? 1
                : 2, (await one.Open(0).Read(position, position + 1)).Single()[0]);
        }

        Assert.Equal(await one.Open(0).Read(0, 40), await other.Open(0).Read(0, 40));
    }

    [ConditionalFact]
    public async Task A_deposed_owner_that_did_not_hear_of_it_gets_a_conflict()
    {
        await using var deposed = await OpenAsync();
        await deposed.Open(0).Fill(3);
        await using var successor = await OpenAsync();
        Assert.Equal(AppendResult.Appended, await successor.Open(0).Append(await successor.Open(0).End(), 500, 5));
        Assert.Equal(AppendResult.Conflict, await deposed.Open(0).Append(3, 600, 6));
        Assert.Equal([5], (await deposed.Open(0).Read(3, 4)).Single());
    }

    [ConditionalFact]
    public async Task A_batch_that_is_appended_again_is_there_once_and_is_answered_as_before()
    {
        await using var one = await OpenAsync();
        Assert.Equal(AppendResult.Appended, await one.Open(0).Append(0, 1, 10));
        await using var other = await OpenAsync();
        Assert.Equal(AppendResult.Appended, await other.Open(0).Append(0, 1, 10));
        Assert.Equal(AppendResult.Appended, await one.Open(0).Append(1, 2, 20));
        Assert.Equal(AppendResult.Appended, await other.Open(0).Append(0, 1, 10));
        Assert.Equal([[10], [20]], await other.Open(0).Read(0, 2));
    }

    [ConditionalFact]
    public async Task A_batch_behind_another_is_appended_behind_that_one_and_behind_no_rivals()
    {
        await using var one = await OpenAsync();
        var log = one.Open(0);
        await log.Append(0, 1, 10);
        Assert.Equal(
            AppendResult.Appended,
            await log.AppendBehindAsync(new BatchId(1, 1), 1, new BatchId(1, 2), new byte[] { 20 }, default));
        await using var other = await OpenAsync();
        Assert.Equal(AppendResult.Appended, await other.Open(0).Append(2, 77, 70));
        Assert.Equal(
            AppendResult.Conflict,
            await log.AppendBehindAsync(new BatchId(1, 3), 3, new BatchId(1, 4), new byte[] { 40 }, default));
        await Assert.ThrowsAsync<IOException>(
            async () => await log.AppendBehindAsync(
            new BatchId(1, 8), 9, new BatchId(1, 9), new byte[] { 90 }, default));
        Assert.Equal([[10], [20], [70]], await log.Read(0, 3));
        Assert.Equal(3, await other.Open(0).End());
    }

    [ConditionalFact]
    public async Task Stores_that_are_open_at_the_same_place_are_one_and_others_are_not()
    {
        await using var one = await OpenAsync();
        await using var other = await OpenAsync();
        Assert.NotEmpty(one.Identity);
        Assert.Equal(one.Identity, other.Identity);
    }

    [ConditionalFact]
    public async Task Notes_are_kept_and_of_two_writers_one_gets_each_number()
    {
        await using var one = await OpenAsync();
        await using var other = await OpenAsync();
        Assert.Null(await one.ReadNoteAsync("placement", default));
        Assert.True(await one.WriteNoteAsync("placement", 1, new byte[] { 1 }, default));
        Assert.False(await other.WriteNoteAsync("placement", 1, new byte[] { 2 }, default));
        Assert.True(await other.WriteNoteAsync("placement", 2, new byte[] { 3 }, default));
        var note = await one.ReadNoteAsync("placement", default);
        Assert.Equal((2, (byte)3), (note!.Number, note.Content.Span[0]));
    }
}
