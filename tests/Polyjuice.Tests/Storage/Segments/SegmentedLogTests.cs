using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Storage;

namespace Polyjuice.Tests.Storage;

/// <summary>
/// The log over a device that does what a service does: all or
/// nothing, several processes at once, answers that get lost.
/// </summary>
public sealed partial class SegmentedLogTests : IAsyncLifetime
{
    private const string FirstSegment = "p00001/00000000000000000000.log";
    private readonly MemoryDevice _device = new();
    private readonly List<SegmentedLogStore> _stores = [];
    private IPartitionLog _log = null!;

    public async Task InitializeAsync() => _log = await Open();

    public async Task DisposeAsync()
    {
        foreach (var store in _stores) await store.DisposeAsync();
    }

    [Fact]
    public async Task Batches_are_read_back_in_the_order_of_their_positions()
    {
        Assert.Equal(0, await _log.End());
        Assert.Equal(AppendResult.Appended, await _log.Append(0, 1, 10));
        Assert.Equal(AppendResult.Appended, await _log.Append(1, 2, 20, 21));
        Assert.Equal(2, await _log.End());
        Assert.Equal([[10], [20, 21]], await _log.Read(0, 2));
        Assert.Equal([[20, 21]], await _log.Read(1, 2));
        Assert.Empty(await _log.Read(1, 1));
    }

    [Fact]
    public async Task A_repeated_append_of_a_batch_that_is_there_is_appended_and_changes_nothing()
    {
        await _log.Append(0, 1, 10);
        await _log.Append(1, 2, 20);
        Assert.Equal(AppendResult.Appended, await _log.Append(0, 1, 10));
        Assert.Equal(AppendResult.Appended, await _log.Append(1, 2, 20));
        Assert.Equal(2, await _log.End());
    }

    [Fact]
    public async Task A_rival_batch_at_a_taken_position_and_one_behind_the_end_are_conflicts_and_leave_no_trace()
    {
        await _log.Append(0, 1, 10);
        Assert.Equal(AppendResult.Conflict, await _log.Append(0, 2, 99));
        Assert.Equal(AppendResult.Conflict, await _log.Append(2, 3, 99));
        Assert.Equal([[10]], await _log.Read(0, 1));
        Assert.Equal(1, await _log.End());
    }

    [Fact]
    public async Task An_append_that_failed_and_had_not_happened_happens_when_it_is_repeated()
    {
        await _log.Append(0, 1, 10);
        _device.Fates.Enqueue((false, true));
        await Assert.ThrowsAsync<IOException>(() => _log.Append(1, 2, 20));
        Assert.Equal(AppendResult.Appended, await _log.Append(1, 2, 20));
        Assert.Equal([[10], [20]], await _log.Read(0, 2));
    }

    [Fact]
    public async Task An_append_that_failed_and_had_happened_is_found_and_not_written_twice()
    {
        _device.Fates.Enqueue((true, true));
        await Assert.ThrowsAsync<IOException>(() => _log.Append(0, 1, 10));
        var appends = _device.Appends;
        Assert.Equal(AppendResult.Appended, await _log.Append(0, 1, 10));
        Assert.Equal(appends, _device.Appends);
        Assert.Equal(1, await _log.End());
    }

    [Fact]
    public async Task Of_two_processes_the_slower_one_gets_a_conflict_and_sees_what_the_other_wrote()
    {
        var rival = await Open();
        await _log.Append(0, 1, 10);
        Assert.Equal(AppendResult.Conflict, await rival.Append(0, 2, 20));
        Assert.Equal(AppendResult.Appended, await rival.Append(1, 3, 30));
        Assert.Equal(AppendResult.Conflict, await _log.Append(1, 4, 40));
        Assert.Equal([[10], [30]], await _log.Read(0, 2));
    }

    [Fact]
    public async Task A_batch_whose_answer_was_lost_is_still_found_when_a_rival_has_gone_on()
    {
        var rival = await Open();
        _device.Fates.Enqueue((true, true));
        await Assert.ThrowsAsync<IOException>(() => _log.Append(0, 1, 10));
        await rival.Append(1, 2, 20);
        Assert.Equal(AppendResult.Appended, await _log.Append(0, 1, 10));
        Assert.Equal(AppendResult.Conflict, await _log.Append(1, 3, 30));
    }

    [Fact]
    public async Task Who_makes_a_trimmed_segment_anew_is_told_of_a_conflict_and_others_do_not_follow_there()
    {
        var late = await Open(segmentBytes: 4_096);
        var later = await Open(segmentBytes: 4_096);
        var rival = await Open(segmentBytes: 4_096);

        // The late ones know the log up to where its first segment ended.
        while (await SegmentsAsync() < 2) await rival.Fill(1, 500);
        var end = await rival.End() - 1;
        Assert.Equal(AppendResult.Conflict, await late.Append(end - 1, 900, 1));
        Assert.Equal(AppendResult.Conflict, await later.Append(end - 1, 901, 1));
        await rival.Fill(40, 500);
        var last = await rival.End();
        await rival.WriteCheckpointAsync(last - 1, LogCalls.Pieces([1]), CancellationToken.None);
        await rival.TrimAsync(CancellationToken.None);
        Assert.Equal(AppendResult.Conflict, await late.Append(end, 902, 66));
        Assert.Equal(AppendResult.Conflict, await late.Append(end, 902, 66));
        Assert.Equal(last, await later.End());
        Assert.Equal(last, await late.End());
        Assert.Equal(AppendResult.Appended, await late.Append(last, 903, 77));
        Assert.Equal([LogCalls.Batch(last - 1, 500), [77]], await (await Open()).Read(last - 1, last + 1));

        async Task<int> SegmentsAsync() =>
            (await _device.ListAsync("p00001/", CancellationToken.None)).Count(
                entry => entry.Name.EndsWith(".log", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_full_segment_is_ended_and_rivals_go_on_in_the_same_next_one()
    {
        var rival = await Open(segmentBytes: 4_096);
        var log = await Open(segmentBytes: 4_096);
        for (var position = 0; position < 40; position++)
        {
            var (one, other) = position % 2 == 0 ? (log, rival) : (rival, log);
            Assert.Equal(
                AppendResult.Appended, await one.Append(position, 100 + position, LogCalls.Batch(position, 500)));
            Assert.Equal(AppendResult.Conflict, await other.Append(position, 200 + position, 1));
        }

        Assert.InRange(_device.Things.Keys.Count(name => name.EndsWith(".log", StringComparison.Ordinal)), 5, 7);
        var all = await (await Open()).Read(0, 40);
        for (var position = 0; position < 40; position++) Assert.Equal(LogCalls.Batch(position, 500), all[position]);
        Assert.Equal(all[17..23], await log.Read(17, 23));
        Assert.Equal(AppendResult.Appended, await log.Append(3, 103));
        Assert.Equal(AppendResult.Conflict, await log.Append(3, 203));
    }

    [Fact]
    public async Task A_segment_ends_before_the_device_takes_no_more_appends_there()
    {
        await _log.Fill(1_700);
        Assert.Equal(3, _device.Things.Keys.Count(name => name.EndsWith(".log", StringComparison.Ordinal)));
        Assert.Equal(1_700, await (await Open()).End());
    }

    [Fact]
    public async Task A_batch_that_is_longer_than_one_append_goes_in_parts_and_comes_back_whole()
    {
        _device.AppendBytesMax = 4_096;
        var log = await Open();
        var batch = Enumerable.Range(0, 10_000).Select(i => (byte)(i * 7)).ToArray();
        await log.Append(0, 1, 1);
        Assert.Equal(AppendResult.Appended, await log.Append(1, 2, batch));
        await log.Append(2, 3, 3);
        Assert.Equal([[1], batch, [3]], await (await Open()).Read(0, 3));
        Assert.Equal([batch], await log.Read(1, 2));
    }

    [Fact]
    public async Task A_batch_in_parts_goes_on_where_it_failed_or_is_forgotten_when_a_rival_came_between()
    {
        _device.AppendBytesMax = 4_096;
        var log = await Open();
        var rival = await Open();
        var batch = LogCalls.Batch(9, 10_000);
        Enqueue((true, false), (true, true));
        await Assert.ThrowsAsync<IOException>(() => log.Append(0, 1, batch));
        Assert.Equal(0, await rival.End());
        Assert.Equal(AppendResult.Appended, await log.Append(0, 1, batch));
        Enqueue((true, false), (false, true));
        await Assert.ThrowsAsync<IOException>(() => log.Append(1, 2, batch));
        Assert.Equal(AppendResult.Appended, await rival.Append(1, 3, 7));
        Assert.Equal(AppendResult.Conflict, await log.Append(1, 2, batch));
        Assert.Equal([batch, [7]], await (await Open()).Read(0, 2));
        Assert.Equal([batch, [7]], await log.Read(0, 2));
    }

    [Fact]
    public async Task A_checkpoint_is_read_back_and_whole_segments_below_it_are_trimmed()
    {
        var log = await Open(segmentBytes: 4_096);
        Assert.Null(await log.GetCheckpointAsync(CancellationToken.None));
        await log.Fill(30, 500);
        await log.WriteCheckpointAsync(20, LogCalls.Pieces([1, 2], [], [3]), CancellationToken.None);
        var first = await log.TrimAsync(CancellationToken.None);
        Assert.InRange(first, 12, 20);
        var checkpoint = await log.GetCheckpointAsync(CancellationToken.None);
        Assert.Equal(20, checkpoint!.Position);
        Assert.Equal([1, 2, 3], await checkpoint.ReadAll());
        foreach (var opened in new[] { log, await Open() })
        {
            Assert.Equal(10, (await opened.Read(20, 30)).Count);
            await Assert.ThrowsAsync<LogTrimmedException>(() => opened.Read(0, 30));
            Assert.Equal(30, await opened.End());
        }

        await log.Fill(3, 500);
        Assert.Equal(33, await log.End());
    }

    [Fact]
    public async Task A_lower_checkpoint_never_replaces_a_higher_one()
    {
        await _log.Fill(5);
        await _log.WriteCheckpointAsync(4, LogCalls.Pieces([4]), CancellationToken.None);
        await _log.WriteCheckpointAsync(3, LogCalls.Pieces([3]), CancellationToken.None);
        Assert.Equal([4], await (await _log.GetCheckpointAsync(CancellationToken.None))!.ReadAll());
        await _log.WriteCheckpointAsync(5, LogCalls.Pieces([5]), CancellationToken.None);
        Assert.Equal([5], await (await _log.GetCheckpointAsync(CancellationToken.None))!.ReadAll());
        Assert.Single(_device.Things.Keys, name => name.EndsWith(".checkpoint", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_reader_whose_batches_are_trimmed_meanwhile_is_told_to_read_the_checkpoint()
    {
        var log = await Open(segmentBytes: 4_096);
        await log.Fill(30, 500);
        var behind = await Open(segmentBytes: 4_096);
        await using var reader = behind.ReadAsync(0, 30, CancellationToken.None).GetAsyncEnumerator();
        Assert.True(await reader.MoveNextAsync());
        await log.WriteCheckpointAsync(30, LogCalls.Pieces([1]), CancellationToken.None);
        await log.TrimAsync(CancellationToken.None);
        await Assert.ThrowsAsync<LogTrimmedException>(async () =>
        {
            while (await reader.MoveNextAsync())
            {
            }
        });
    }

    [Fact]
    public async Task A_deposed_appender_whose_segments_are_long_trimmed_gets_a_conflict()
    {
        var log = await Open(segmentBytes: 4_096);
        var rival = await Open(segmentBytes: 4_096);
        await log.Append(0, 1, 10);
        _device.Fates.Enqueue((false, true));
        await Assert.ThrowsAsync<IOException>(() => log.Append(1, 2, 20));
        await rival.Fill(40, 500);
        await rival.WriteCheckpointAsync(40, LogCalls.Pieces([1]), CancellationToken.None);
        await rival.TrimAsync(CancellationToken.None);
        Assert.Equal(AppendResult.Conflict, await log.Append(1, 2, 20));
        Assert.Equal(41, await log.End());
        Assert.Equal(AppendResult.Appended, await log.Append(41, 3, 30));
    }

    [Fact]
    public async Task A_last_segment_that_vanishes_is_damage()
    {
        await _log.Fill(3);
        _device.Remove(FirstSegment);
        await Assert.ThrowsAsync<LogDamagedException>(() => _log.End());
    }

    [Fact]
    public async Task A_log_that_has_become_shorter_takes_no_more_appends_of_who_knew_it_until_it_is_whole_again()
    {
        await _log.Fill(3);
        var whole = _device.Things[FirstSegment];
        _device.Change(FirstSegment, known => known[..^5]);
        for (var i = 0; i < 2; i++)
            await Assert.ThrowsAsync<LogUnusableException>(() => _log.Append(3, 1_003, 3));
        _device.Change(FirstSegment, _ => whole);
        Assert.Equal(AppendResult.Appended, await _log.Append(3, 1_003, 3));
    }

    [Theory]
    [InlineData(3, "begin")]
    [InlineData(13, "checksum")]
    [InlineData(45, "checksum")]
    [InlineData(82, "checksum")]
    [InlineData(85, "no batch begins")]
    public async Task A_changed_byte_is_refused_with_file_and_offset(int at, string what)
    {
        await _log.Fill(3);
        _device.Change(FirstSegment, bytes =>
        {
            bytes[at] ^= 0x40;
            return bytes;
        });
        var exception = await Assert.ThrowsAsync<LogDamagedException>(async () => await (await Open()).End());
        Assert.Equal(FirstSegment, exception.Name);
        Assert.Contains(what, exception.Message, StringComparison.Ordinal);
        Assert.Contains("polyjuice log verify", exception.Message, StringComparison.Ordinal);
        Assert.Equal(at < 40 ? 0 : at < 85 ? 40 : 85, exception.Offset);
    }

    [Fact]
    public async Task A_newer_version_is_refused_by_name()
    {
        await _log.Fill(1);
        _device.Change(FirstSegment, bytes =>
        {
            bytes[8] = 9;
            return bytes;
        });
        var exception = await Assert.ThrowsAsync<LogVersionException>(async () => await (await Open()).End());
        Assert.Contains("memory/" + FirstSegment, exception.Message, StringComparison.Ordinal);
        Assert.Contains("version 9", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_missing_segment_is_refused()
    {
        var log = await Open(segmentBytes: 4_096);
        await log.Fill(30, 500);
        _device.Remove(_device.Things.Keys.Where(name => name.EndsWith(".log", StringComparison.Ordinal)).ElementAt(1));
        await Assert.ThrowsAsync<LogDamagedException>(async () => await (await Open()).Read(0, 30));
    }

    [Fact]
    public async Task A_log_that_ends_before_its_checkpoint_is_refused()
    {
        await _log.Fill(5);
        await _log.WriteCheckpointAsync(5, LogCalls.Pieces([5]), CancellationToken.None);
        _device.MayTear = true;
        _device.Change(FirstSegment, bytes => bytes[..^1]);
        await Assert.ThrowsAsync<LogDamagedException>(async () => await (await Open()).End());
    }

    [Fact]
    public async Task A_damaged_checkpoint_is_refused()
    {
        await _log.Fill(5);
        await _log.WriteCheckpointAsync(5, LogCalls.Pieces([5, 6, 7]), CancellationToken.None);
        _device.Change("p00001/00000000000000000005.checkpoint", bytes =>
        {
            bytes[45] ^= 1;
            return bytes;
        });
        var checkpoint = await _log.GetCheckpointAsync(CancellationToken.None);
        await Assert.ThrowsAsync<LogDamagedException>(checkpoint!.ReadAll);
    }

    [Fact]
    public async Task Another_number_of_partitions_than_at_creation_is_refused()
    {
        var exception = await Assert.ThrowsAsync<LogUnusableException>(
            () => SegmentedLogStore.OpenAsync(
                _device, new SegmentedLogOptions { Partitions = 3 }, NullLogger.Instance, CancellationToken.None));
        Assert.Contains("created with 2", exception.Message, StringComparison.Ordinal);
        Assert.Equal(2, (await OpenStore(new SegmentedLogOptions { NewPartitions = 7 })).PartitionCount);
    }

    [Fact]
    public async Task A_store_is_done_with_its_segments_before_another_process_may_have_them()
    {
        var store = await SegmentedLogStore.OpenAsync(
            _device, new SegmentedLogOptions(), NullLogger.Instance, CancellationToken.None);
        await store.Open(0).Fill(1);
        await store.DisposeAsync();
        Assert.True(_device.WasDisposedBeforeUnlocked, "the lock was given back first, or not at all");
    }

    [Fact]
    public async Task Logs_without_their_manifest_are_refused()
    {
        await _log.Fill(1);
        _device.Remove("manifest.json");
        await Assert.ThrowsAsync<LogDamagedException>(() => OpenStore(new SegmentedLogOptions()));
    }

    private void Enqueue(params (bool, bool)[] fates)
    {
        foreach (var fate in fates) _device.Fates.Enqueue(fate);
    }

    private async Task<SegmentedLogStore> OpenStore(SegmentedLogOptions options)
    {
        var store = await SegmentedLogStore.OpenAsync(_device, options, NullLogger.Instance, CancellationToken.None);
        _stores.Add(store);
        return store;
    }

    private async Task<IPartitionLog> Open(long segmentBytes = 1 << 20) =>
        (await OpenStore(new SegmentedLogOptions { NewPartitions = 2, SegmentBytes = segmentBytes, Threads = 1 })).Open(
            1);
}
