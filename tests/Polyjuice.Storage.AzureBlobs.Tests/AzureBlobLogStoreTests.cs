using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;

namespace Polyjuice.Storage.AzureBlobs.Tests;

/// <summary>The log, on blobs.</summary>
[RequiresAzurite]
[Collection(AzuriteFixture.Name)]
public sealed class AzureBlobLogStoreTests(AzuriteFixture azurite)
{
    private readonly FaultyTransport _way = new();

    [ConditionalFact]
    public async Task What_was_appended_is_there_after_reopening()
    {
        var options = azurite.NewOptions();
        await using (var store = await Open(options)) await store.Open(7).Fill(10, 300);
        await using var again = await Open(options);
        Assert.Equal(8, again.PartitionCount);
        Assert.Equal(10, await again.Open(7).End());
        Assert.Equal(LogCalls.Batch(6, 300), (await again.Open(7).Read(6, 7)).Single());
        Assert.Equal(0, await again.Open(0).End());
        options.Partitions = 9;
        await again.DisposeAsync();
        await Assert.ThrowsAsync<LogUnusableException>(() => Open(options));
    }

    [ConditionalFact]
    public async Task Segments_are_ended_by_size_and_by_the_number_of_appends()
    {
        var options = azurite.NewOptions();
        var device = await azurite.OpenAsync(options, new() { AppendsPerSegmentMax = 40 });
        await using (var store = await SegmentedLogStore.OpenAsync(device, options, NullLogger.Instance, default))
            await store.Open(0).Fill(100);
        Assert.Equal(4, (await device.ListAsync("p00000/", default)).Count);
        options.SegmentBytes = 4_096;
        await using var again = await Open(options);
        await again.Open(0).Fill(20, 500);
        Assert.Equal(6, (await device.ListAsync("p00000/", default)).Count);
        Assert.Equal(120, (await again.Open(0).Read(0, 120)).Count);
    }

    [ConditionalFact]
    public async Task Checkpoints_stand_for_what_is_trimmed()
    {
        var options = azurite.NewOptions();
        options.SegmentBytes = 4_096;
        var content = new byte[5_000_000];
        new Random(1).NextBytes(content);
        await using (var store = await Open(options))
        {
            await store.Open(0).Fill(50, 300);
            await store.Open(0).WriteCheckpointAsync(40, LogCalls.Pieces(content, [7]), default);
            Assert.InRange(await store.Open(0).TrimAsync(default), 28, 40);
            await store.Open(0).Fill(5);
            await store.Open(0).WriteCheckpointAsync(55, LogCalls.Pieces(content, [8]), default);
            await store.Open(0).TrimAsync(default);
        }

        await using var again = await Open(options);
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
        var options = azurite.NewOptions();
        var batch = new byte[9_000_000];
        new Random(2).NextBytes(batch);
        await using (var store = await Open(options))
        {
            await store.Open(0).Append(0, 1, 1);
            Assert.Equal(AppendResult.Appended, await store.Open(0).Append(1, 2, batch));
        }

        await using var again = await Open(options);
        Assert.Equal(batch, (await again.Open(0).Read(1, 2)).Single());
    }

    [ConditionalFact]
    public async Task Of_two_processes_exactly_one_gets_each_position_and_both_read_the_same()
    {
        var options = azurite.NewOptions();
        options.Lock = false;
        options.SegmentBytes = 4_096;
        await using var one = await Open(options);
        await using var other = await Open(options);
        for (var position = 0; position < 40; position++)
        {
            var first = one.Open(0).Append(position, 1_000 + position, LogCalls.Batch(1, 400));
            var second = other.Open(0).Append(position, 2_000 + position, LogCalls.Batch(2, 400));
            var results = await Task.WhenAll(first, second);
            Assert.Single(results, AppendResult.Appended);
            Assert.Single(results, AppendResult.Conflict);
            Assert.Equal(
                results[0] == AppendResult.Appended ? 1 : 2,
                (await one.Open(0).Read(position, position + 1)).Single()[0]);
        }

        Assert.Equal(await one.Open(0).Read(0, 40), await other.Open(0).Read(0, 40));
    }

    [ConditionalFact]
    public async Task A_deposed_owner_that_did_not_hear_of_it_gets_a_conflict()
    {
        var options = azurite.NewOptions();
        options.Lock = false;
        await using var deposed = await Open(options);
        await deposed.Open(0).Fill(3);
        await using var successor = await Open(options);
        Assert.Equal(AppendResult.Appended, await successor.Open(0).Append(await successor.Open(0).End(), 500, 5));
        Assert.Equal(AppendResult.Conflict, await deposed.Open(0).Append(3, 600, 6));
        Assert.Equal([5], (await deposed.Open(0).Read(3, 4)).Single());
    }

    [ConditionalFact]
    public async Task A_batch_whose_answer_got_lost_is_found_when_it_is_repeated_and_is_there_once()
    {
        var options = azurite.NewOptions(client => client.Transport = _way);
        options.RetriesMax = 1;
        await using var store = await Open(options);
        await store.Open(0).Fill(2);
        _way.LoseNextAnswer(FaultyTransport.IsAppend);
        await Assert.ThrowsAsync<IOException>(() => store.Open(0).Append(2, 7, 70));
        Assert.Equal(AppendResult.Appended, await store.Open(0).Append(2, 7, 70));
        _way.LoseNext(FaultyTransport.IsAppend);
        _way.LoseNext(FaultyTransport.IsAppend);
        await Assert.ThrowsAsync<IOException>(() => store.Open(0).Append(3, 8, 80));
        Assert.Equal(AppendResult.Appended, await store.Open(0).Append(3, 8, 80));
        Assert.Equal([[70], [80]], await store.Open(0).Read(2, 4));
        Assert.Equal(4, await store.Open(0).End());
    }

    private static Task<SegmentedLogStore> Open(AzureBlobLogOptions options) =>
        AzureBlobLogStore.OpenAsync(options, NullLogger.Instance, default);
}
