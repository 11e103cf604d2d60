using Polyjuice.Storage;

namespace Polyjuice.Tests.Storage;

// Several appends of one owner under way: each goes behind the one before, or not at all.
public sealed partial class SegmentedLogTests
{
    [Fact]
    public async Task A_log_that_takes_one_append_at_a_time_takes_none_behind_another()
    {
        var log = new MemoryLogStore(1).Open(0);
        Assert.Equal(1, log.AppendsUnderWayMax);
        await Assert.ThrowsAsync<NotSupportedException>(
            async () => await log.AppendBehindAsync(Id(1), 1, Id(2), new byte[1], CancellationToken.None));
    }

    [Theory]
    [InlineData(2, 2)]
    [InlineData(1, 1)]
    public async Task Where_each_log_has_a_thread_of_its_own_one_append_waits_for_it_and_else_none(
        int threads, int appends)
    {
        var store = await OpenStore(new SegmentedLogOptions
        {
            NewPartitions = 2, Threads = threads, AppendsUnderWay = 0
        });
        Assert.Equal(appends, store.Open(1).AppendsUnderWayMax);
        Assert.Equal(0, new FileLogOptions().AppendsUnderWay);
    }

    [Fact]
    public async Task Appends_under_way_are_made_in_their_order()
    {
        var appends = new[] { Append(0, 1), Behind(1, 1, 2), Behind(2, 2, 3), Behind(3, 3, 4) };
        foreach (var append in appends) Assert.Equal(AppendResult.Appended, await append);
        Assert.Equal([[1], [2], [3], [4]], await _log.Read(0, 4));
    }

    [Fact]
    public async Task What_is_behind_an_append_that_failed_is_refused_until_that_one_is_there()
    {
        await Append(0, 1);
        _device.Fates.Enqueue((false, true));
        Task<AppendResult>[] appends = [Append(1, 2), Behind(2, 2, 3), Behind(3, 3, 4)];
        foreach (var append in appends) await Assert.ThrowsAsync<IOException>(() => append);
        Assert.Equal(1, await _log.End());
        Assert.Equal(AppendResult.Appended, await Append(1, 2));
        Assert.Equal(AppendResult.Appended, await Behind(2, 2, 3));
        Assert.Equal(AppendResult.Appended, await Append(3, 4));
        Assert.Equal([[1], [2], [3], [4]], await _log.Read(0, 4));
    }

    [Fact]
    public async Task What_is_behind_an_append_whose_answer_was_lost_goes_behind_it()
    {
        _device.Fates.Enqueue((true, true));
        var (first, second) = (Append(0, 1), Behind(1, 1, 2));
        await Assert.ThrowsAsync<IOException>(() => first);
        Assert.Equal(AppendResult.Appended, await second);
        Assert.Equal(AppendResult.Appended, await Append(0, 1));
        Assert.Equal(AppendResult.Appended, await Behind(1, 1, 2));
        Assert.Equal([[1], [2]], await _log.Read(0, 2));
    }

    [Fact]
    public async Task Nothing_is_appended_behind_a_rival_that_came_to_the_place_of_an_append_that_failed()
    {
        var rival = await Open();
        await Append(0, 1);
        _device.Fates.Enqueue((false, true));
        await Assert.ThrowsAsync<IOException>(() => Append(1, 2));
        Assert.Equal(AppendResult.Appended, await rival.Append(1, 9, 99));
        Assert.Equal(AppendResult.Conflict, await Behind(2, 2, 3));
        Assert.Equal(AppendResult.Conflict, await Append(1, 2));
        Assert.Equal([[1], [99]], await (await Open()).Read(0, 2));
        Assert.Equal(2, await _log.End());
    }

    [Fact]
    public async Task The_batch_before_is_known_across_the_end_of_a_segment_and_to_a_process_that_has_just_come()
    {
        var log = await Open(segmentBytes: 4_096);
        await log.Fill(1, 100);
        for (var position = 1; position < 40; position++)
        {
            // Alternately to one that has appended the batch before, and to one that has to look for it.
            var at = position % 3 == 0 ? await Open(segmentBytes: 4_096) : log;
            Assert.Equal(
                AppendResult.Conflict,
                await at.AppendBehindAsync(
                    Id(7), position, Id(500 + position), LogCalls.Batch(position, 500), CancellationToken.None));
            Assert.Equal(
                AppendResult.Appended,
                await at.AppendBehindAsync(
                    Id(999 + position),
                    position,
                    Id(1_000 + position),
                    LogCalls.Batch(position, 500),
                    CancellationToken.None));
        }

        Assert.InRange(_device.Things.Keys.Count(name => name.EndsWith(".log", StringComparison.Ordinal)), 5, 7);
        Assert.Equal(40, await log.End());
    }

    private static BatchId Id(long batch) => new(1, batch);

    private Task<AppendResult> Append(long position, long batch) => _log.Append(position, batch, (byte)batch);

    private Task<AppendResult> Behind(long position, long behind, long batch) =>
        _log.AppendBehindAsync(Id(behind), position, Id(batch), new[] { (byte)batch }, CancellationToken.None).AsTask();
}
