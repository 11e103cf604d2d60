using Polyjuice.Storage;

namespace Polyjuice.Tests.Shared;

/// <summary>
/// What <see cref="ILogDevice"/> promises, as tests: a device inherits them. Each test has a place of its own, with two
/// users of it where the device takes several.
/// </summary>
public abstract class LogDeviceContract : IAsyncLifetime
{
    private const string Segment = "p00003/00000000000000000000.log";
    private const string Thing = "p00003/00000000000000000007.checkpoint";
    private readonly List<ILogDevice> _opened = [];
    private ILogDeviceLock? _lock;

    /// <summary>The device under test.</summary>
    protected ILogDevice Device { get; private set; } = null!;

    /// <summary>Another user of the same place; the same device where only one may use it.</summary>
    protected ILogDevice Rival { get; private set; } = null!;

    /// <summary>Whether the device's lock keeps others out; a device for tests may do without.</summary>
    protected virtual bool HasLock => true;

    /// <summary>Opens the place of this test, as one process would.</summary>
    protected abstract ValueTask<ILogDevice> OpenAsync();

    /// <summary>Removes the place of this test.</summary>
    protected virtual ValueTask CleanUpAsync() => ValueTask.CompletedTask;

    public virtual async Task InitializeAsync()
    {
        Device = await AddAsync();
        if (Device.MayTear) _lock = await Device.LockAsync("the test", CancellationToken.None);
        Rival = Device.MayTear ? Device : await AddAsync();
    }

    public virtual async Task DisposeAsync()
    {
        if (_lock is not null) await _lock.DisposeAsync();
        foreach (var device in _opened) await device.DisposeAsync();
        await CleanUpAsync();
    }

    [ConditionalFact]
    public void Its_bounds_leave_room_for_a_log()
    {
        Assert.True(Device.AppendBytesMax >= 1 << 20);
        Assert.True(Device.AppendsPerSegmentMax >= 1_000);
        Assert.NotEmpty(Device.Location);
    }

    [ConditionalFact]
    public async Task A_new_segment_is_empty_and_making_it_again_changes_nothing()
    {
        await Device.CreateAsync(Segment, default);
        Assert.Equal(0, await Device.GetLengthAsync(Segment, default));
        Assert.Equal(0, await Device.ReadAsync(Segment, 0, new byte[10], default));
        await Append(Device, 0, 1, 2, 3);
        await Device.CreateAsync(Segment, default);
        await Rival.CreateAsync(Segment, default);
        Assert.Equal([1, 2, 3], await ReadAll(Rival, Segment));
    }

    [ConditionalFact]
    public async Task Appends_follow_each_other_and_are_read_back_by_every_user()
    {
        await Device.CreateAsync(Segment, default);
        Assert.Equal(DeviceAppendResult.Appended, await Append(Device, 0, 1, 2, 3));
        Assert.Equal(DeviceAppendResult.Appended, await Append(Device, 3, 4));
        Assert.Equal(DeviceAppendResult.Appended, await Append(Rival, 4, 5, 6));
        Assert.Equal(6, await Device.GetLengthAsync(Segment, default));
        Assert.Equal([1, 2, 3, 4, 5, 6], await ReadAll(Device, Segment));
        Assert.Equal([1, 2, 3, 4, 5, 6], await ReadAll(Rival, Segment));
    }

    [ConditionalFact]
    public async Task An_append_before_or_behind_the_end_is_a_conflict_and_leaves_no_trace()
    {
        await Device.CreateAsync(Segment, default);
        await Append(Device, 0, 1, 2, 3);
        Assert.Equal(DeviceAppendResult.Conflict, await Append(Device, 0, 1, 2, 3));
        Assert.Equal(DeviceAppendResult.Conflict, await Append(Rival, 2, 9));
        Assert.Equal(DeviceAppendResult.Conflict, await Append(Rival, 4, 9));
        Assert.Equal([1, 2, 3], await ReadAll(Device, Segment));
    }

    [ConditionalFact]
    public async Task Of_rivals_at_one_offset_exactly_one_is_appended()
    {
        await Device.CreateAsync(Segment, default);
        for (var round = 0; round < 5; round++)
        {
            var offset = await Device.GetLengthAsync(Segment, default);
            var results = await Task.WhenAll(
                Enumerable.Range(0, 8)
                    .Select(
                        i => Task.Run(
                            async () => await Append(
                                i % 2 == 0 ? Device : Rival, offset, (byte)i, (byte)round, (byte)i))));
            var winner = Array.IndexOf(results, DeviceAppendResult.Appended);
            Assert.Equal(7, results.Count(result => result == DeviceAppendResult.Conflict));
            Assert.Equal([(byte)winner, (byte)round, (byte)winner], (await ReadAll(Rival, Segment))[(int)offset..]);
        }
    }

    [ConditionalFact]
    public async Task A_long_append_is_taken_whole()
    {
        await Device.CreateAsync(Segment, default);
        var bytes = Numbered(Math.Min(Device.AppendBytesMax, 4 << 20));
        Assert.Equal(DeviceAppendResult.Appended, await Append(Device, 0, bytes));
        Assert.Equal(DeviceAppendResult.Appended, await Append(Device, bytes.Length, 7));
        Assert.Equal([.. bytes, 7], await ReadAll(Rival, Segment));
    }

    [ConditionalFact]
    public async Task What_is_not_there_is_said_to_be_not_there()
    {
        await Assert.ThrowsAsync<FileNotFoundException>(() => Append(Device, 0, 1));
        await Assert.ThrowsAsync<FileNotFoundException>(async () => await Device.GetLengthAsync(Segment, default));
        await Assert.ThrowsAsync<FileNotFoundException>(
            async () => await Device.ReadAsync(Segment, 0, new byte[1], default));
        await Assert.ThrowsAsync<FileNotFoundException>(async () => await Device.GetLengthAsync(Thing, default));
        await Assert.ThrowsAsync<FileNotFoundException>(
            async () => await Device.ReadAsync(Thing, 0, new byte[1], default));
        Assert.DoesNotContain(await Device.ListAsync("p", default), entry => entry.Name is Segment or Thing);
    }

    [ConditionalFact]
    public async Task Any_range_is_read_and_less_than_was_asked_for_only_at_the_end()
    {
        await Device.CreateAsync(Segment, default);
        var bytes = Numbered(5_000);
        await Append(Device, 0, bytes);
        await Device.PutAsync(Thing, Pieces(bytes), overwrite: false, default);
        foreach (var name in new[] { Segment, Thing })
        {
            foreach (var (offset, length, expected) in new[]
            {
                (0, 5_000, 5_000), (0, 1, 1), (4_999, 1, 1), (17, 4_000, 4_000), (4_000, 4_000, 1_000), (5_000, 10, 0),
                (2_500, 0, 0)
            })
            {
                var buffer = new byte[length];
                Assert.Equal(expected, await Rival.ReadAsync(name, offset, buffer, default));
                Assert.Equal(bytes.AsSpan(offset, expected).ToArray(), buffer[..expected]);
            }
        }
    }

    [ConditionalFact]
    public async Task An_object_is_put_whole_from_pieces_of_any_size()
    {
        var bytes = Numbered(300_000);
        Assert.True(
            await Device.PutAsync(
                Thing,
                Pieces(bytes[..1], [], bytes[1..70_000], bytes[70_000..250_001], bytes[250_001..]),
                overwrite: false,
                default));
        Assert.Equal(bytes, await ReadAll(Rival, Thing));
        Assert.Equal(300_000, await Rival.GetLengthAsync(Thing, default));
        Assert.True(await Device.PutAsync("empty", Pieces(), overwrite: false, default));
        Assert.Equal(0, await Rival.GetLengthAsync("empty", default));
    }

    [ConditionalFact]
    public async Task An_object_is_replaced_only_if_that_was_asked_for()
    {
        Assert.True(await Device.PutAsync(Thing, Pieces([1, 2, 3]), overwrite: true, default));
        Assert.False(await Rival.PutAsync(Thing, Pieces([4, 5]), overwrite: false, default));
        Assert.Equal([1, 2, 3], await ReadAll(Rival, Thing));
        Assert.True(await Rival.PutAsync(Thing, Pieces([6]), overwrite: true, default));
        Assert.Equal([6], await ReadAll(Device, Thing));
    }

    [ConditionalFact]
    public async Task Of_puts_that_may_not_overwrite_exactly_one_is_kept()
    {
        var results = await Task.WhenAll(Enumerable.Range(0, 8).Select(i => Task.Run(
            async () => await (i % 2 == 0 ? Device : Rival).PutAsync(
                Thing,
                Pieces([(byte)i], Enumerable.Repeat((byte)i, 20_000 + i).ToArray()),
                overwrite: false,
                default))));
        var winner = Array.IndexOf(results, true);
        Assert.Single(results, true);
        Assert.Equal(Enumerable.Repeat((byte)winner, 20_001 + winner), await ReadAll(Device, Thing));
    }

    [ConditionalFact]
    public async Task An_object_whose_content_fails_midway_is_not_there_and_what_was_there_stays()
    {
        static async IAsyncEnumerable<ReadOnlyMemory<byte>> Failing()
        {
            yield return new byte[200_000];
            await ValueTask.CompletedTask;
            throw new InvalidTimeZoneException("the content's own");
        }

        await Assert.ThrowsAsync<InvalidTimeZoneException>(
            async () => await Device.PutAsync(Thing, Failing(), overwrite: false, default));
        await Assert.ThrowsAsync<FileNotFoundException>(async () => await Device.GetLengthAsync(Thing, default));
        Assert.Empty(await Device.ListAsync("p00003/", default));
        await Device.PutAsync(Thing, Pieces([1]), overwrite: true, default);
        await Assert.ThrowsAsync<InvalidTimeZoneException>(
            async () => await Device.PutAsync(Thing, Failing(), overwrite: true, default));
        Assert.Equal([1], await ReadAll(Device, Thing));
    }

    [ConditionalFact]
    public async Task A_list_has_all_names_with_a_prefix_in_ordinal_order_and_their_lengths()
    {
        string[] names =
        [
            "p00001/b.log", "p00001/a-0.log", "p00001/a.log", "p00001/a0.log", "p00010/a.log", "manifest.json"
        ];
        foreach (var name in names.Where(name => name.EndsWith(".log", StringComparison.Ordinal)))
        {
            await Device.CreateAsync(name, default);
            Assert.Equal(
                DeviceAppendResult.Appended, await Device.AppendAsync(name, 0, new byte[name.Length], default));
        }

        await Device.PutAsync("manifest.json", Pieces(new byte["manifest.json".Length]), overwrite: false, default);
        var entries = await Rival.ListAsync("p00001/", default);
        Assert.Equal(
            ["p00001/a-0.log", "p00001/a.log", "p00001/a0.log", "p00001/b.log"], entries.Select(entry => entry.Name));
        Assert.All(entries, entry => Assert.Equal(entry.Name.Length, entry.Length));
        Assert.Equal(
            ["p00001/a-0.log", "p00001/a.log", "p00001/a0.log"],
            (await Rival.ListAsync("p00001/a", default)).Select(entry => entry.Name));
        Assert.Equal(
            ["p00001/a-0.log", "p00001/a.log", "p00001/a0.log", "p00001/b.log", "p00010/a.log"],
            (await Rival.ListAsync("p", default)).Select(entry => entry.Name));
        Assert.Equal(["manifest.json"], (await Rival.ListAsync("m", default)).Select(entry => entry.Name));
        Assert.Empty(await Rival.ListAsync("p00002/", default));
    }

    [ConditionalFact]
    public async Task What_is_deleted_is_gone_may_be_deleted_again_and_made_again()
    {
        await Device.CreateAsync(Segment, default);
        await Append(Device, 0, 1, 2, 3);
        await Device.PutAsync(Thing, Pieces([1, 2]), overwrite: false, default);
        foreach (var name in new[] { Segment, Thing })
        {
            await Device.DeleteAsync(name, default);
            await Rival.DeleteAsync(name, default);
            await Assert.ThrowsAsync<FileNotFoundException>(async () => await Rival.GetLengthAsync(name, default));
        }

        Assert.Empty(await Device.ListAsync("p00003/", default));
        await Device.CreateAsync(Segment, default);
        Assert.Equal(DeviceAppendResult.Appended, await Append(Device, 0, 9));
        Assert.True(await Device.PutAsync(Thing, Pieces([8]), overwrite: false, default));
        Assert.Equal([9], await ReadAll(Device, Segment));
        Assert.Equal([8], await ReadAll(Device, Thing));
    }

    [ConditionalFact]
    public async Task A_call_that_was_cancelled_before_it_began_does_nothing()
    {
        await Device.CreateAsync(Segment, default);
        await Append(Device, 0, 1);
        var cancelled = new CancellationToken(canceled: true);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await Device.AppendAsync(Segment, 1, new byte[] { 2 }, cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await Device.CreateAsync("p00003/00000000000000000001.log", cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await Device.PutAsync(Thing, Pieces([1]), overwrite: true, cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await Device.DeleteAsync(Segment, cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await Device.GetLengthAsync(Segment, cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await Device.ReadAsync(Segment, 0, new byte[1], cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await Device.ListAsync("p", cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await Device.LockAsync("the cancelled", cancelled));
        Assert.Equal([Segment], (await Device.ListAsync("p", default)).Select(entry => entry.Name));
        Assert.Equal([1], await ReadAll(Device, Segment));
    }

    [ConditionalFact]
    public async Task A_second_user_of_the_lock_is_told_at_once_who_the_first_is()
    {
        var other = await AddAsync();
        if (!HasLock)
        {
            // Then nothing may depend on it, and everybody gets it.
            Assert.False(other.MayTear);
            await using var first = await Device.LockAsync("the test", default);
            await using var second = await other.LockAsync("the late one", default);
            Assert.False(first.Lost.IsCancellationRequested || second.Lost.IsCancellationRequested);
            return;
        }

        _lock ??= await Device.LockAsync("the test", default);
        var refused = await Assert.ThrowsAsync<LogDeviceLockedException>(
            async () => await other.LockAsync("the late one", default));
        Assert.Contains("the test", refused.Message, StringComparison.Ordinal);
        Assert.Contains(Device.Location, refused.Message, StringComparison.Ordinal);
        Assert.False(_lock.Lost.IsCancellationRequested);
        await _lock.DisposeAsync();
        _lock = null;
        await using var taken = await other.LockAsync("the late one", default);
        Assert.False(taken.Lost.IsCancellationRequested);
        Assert.Empty(await Device.ListAsync("p", default));
    }

    [ConditionalFact]
    public async Task Only_what_may_tear_can_be_cut()
    {
        await Device.CreateAsync(Segment, default);
        await Append(Device, 0, 1, 2, 3);
        if (Device.MayTear)
        {
            await Device.TruncateAsync(Segment, 2, default);
            Assert.Equal([1, 2], await ReadAll(Device, Segment));
            Assert.Equal(DeviceAppendResult.Appended, await Append(Device, 2, 4));
            Assert.Equal([1, 2, 4], await ReadAll(Device, Segment));
            return;
        }

        await Assert.ThrowsAsync<NotSupportedException>(async () => await Device.TruncateAsync(Segment, 2, default));
        Assert.Equal([1, 2, 3], await ReadAll(Device, Segment));
    }

    [ConditionalFact]
    public async Task Everything_is_there_when_the_place_is_opened_again()
    {
        await Device.CreateAsync(Segment, default);
        await Append(Device, 0, 1, 2, 3);
        await Device.PutAsync(Thing, Pieces([4, 5]), overwrite: false, default);
        if (_lock is not null) await _lock.DisposeAsync();
        _lock = null;
        var again = await AddAsync();
        if (again.MayTear) _lock = await again.LockAsync("the test", default);
        Assert.Equal([Segment, Thing], (await again.ListAsync("p", default)).Select(entry => entry.Name));
        var found = await ReadAll(again, Segment);
        Assert.Equal([1, 2, 3], found[..3]);
        if (again.MayTear)
        {
            // Room that was made ahead, and not given back because nobody closed it.
            Assert.DoesNotContain(found[3..], static left => left != 0);
            await again.TruncateAsync(Segment, 3, default);
        }

        Assert.Equal([1, 2, 3], await ReadAll(again, Segment));
        Assert.Equal([4, 5], await ReadAll(again, Thing));
        Assert.Equal(DeviceAppendResult.Conflict, await Append(again, 2, 9));
        Assert.Equal(DeviceAppendResult.Appended, await Append(again, 3, 9));
    }

    /// <summary>Content in pieces.</summary>
    protected static async IAsyncEnumerable<ReadOnlyMemory<byte>> Pieces(params byte[][] pieces)
    {
        foreach (var piece in pieces) yield return piece;
        await ValueTask.CompletedTask;
    }

    /// <summary>All bytes of a segment or object.</summary>
    protected static async Task<byte[]> ReadAll(ILogDevice device, string name)
    {
        var buffer = new byte[await device.GetLengthAsync(name, default) + 1];
        return buffer[..await device.ReadAsync(name, 0, buffer, default)];
    }

    private static byte[] Numbered(int length) =>
        [.. Enumerable.Range(0, length).Select(i => (byte)(i * 31 + i / 256))];

    private static async Task<DeviceAppendResult> Append(ILogDevice device, long offset, params byte[] bytes) =>
        await device.AppendAsync(Segment, offset, bytes, default);

    private async ValueTask<ILogDevice> AddAsync()
    {
        var device = await OpenAsync();
        _opened.Add(device);
        return device;
    }
}
