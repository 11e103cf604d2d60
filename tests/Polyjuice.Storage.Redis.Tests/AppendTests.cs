using Orleans.Configuration;

namespace Polyjuice.Storage.Redis.Tests;

/// <summary>
/// What an append answers when requests and answers get lost, or the server is in no hurry: never that it happened
/// when it did not, and never that it did not when it did.
/// </summary>
[RequiresRedis]
[Collection(RedisFixture.Name)]
public sealed class AppendTests(RedisFixture redis) : IAsyncLifetime
{
    private const string Segment = "p00000/00000000000000000000.log";
    private static readonly byte[] _mark = "the marked append"u8.ToArray();
    private WireProxy _way = null!;
    private RedisLogOptions _options = null!;
    private RedisLogDevice _device = null!;
    private RedisLogDevice _rival = null!;

    public async Task InitializeAsync()
    {
        _way = new WireProxy(redis.Server.Port);
        _options = redis.NewOptions(_way.Port);
        _device = await RedisFixture.OpenAsync(_options);
        var direct = redis.NewOptions();
        direct.KeyPrefix = _options.KeyPrefix;
        _rival = await RedisFixture.OpenAsync(direct);
        await _device.CreateAsync(Segment, default);
        await Append(_device, 0, 1, 2, 3);
    }

    public async Task DisposeAsync()
    {
        await _device.DisposeAsync();
        await _rival.DisposeAsync();
        await _way.DisposeAsync();
    }

    [ConditionalFact]
    public async Task An_append_whose_answer_got_lost_is_unknown_and_no_conflict_and_its_repetition_is_one()
    {
        for (var i = 0; i < 3; i++)
        {
            var offset = 3 + (i * _mark.Length);
            var lost = _way.Next(_mark, WireFault.AnswerIsLost);
            var unknown = await Assert.ThrowsAsync<IOException>(() => Append(_device, offset, _mark));
            await lost;
            Assert.Contains(Segment, unknown.Message, StringComparison.Ordinal);
            Assert.Equal(DeviceAppendResult.Conflict, await AppendUntilAnswered(offset, _mark));
            Assert.Equal(offset + _mark.Length, await _rival.GetLengthAsync(Segment, default));
        }
    }

    [ConditionalFact]
    public async Task A_request_that_got_lost_or_was_torn_has_no_effect_and_is_made_when_it_is_repeated()
    {
        foreach (var kind in new[] { WireFault.RequestIsLost, WireFault.RequestIsTorn })
        {
            var offset = await _rival.GetLengthAsync(Segment, default);
            var lost = _way.Next(_mark, kind);
            await Assert.ThrowsAsync<IOException>(() => Append(_device, offset, _mark));
            await lost;
            Assert.Equal(DeviceAppendResult.Appended, await AppendUntilAnswered(offset, _mark));
            Assert.Equal(offset + _mark.Length, await _rival.GetLengthAsync(Segment, default));
        }
    }

    [ConditionalFact]
    public async Task A_rival_that_was_faster_than_the_repetition_is_a_conflict()
    {
        var lost = _way.Next(_mark, WireFault.RequestIsLost);
        await Assert.ThrowsAsync<IOException>(() => Append(_device, 3, _mark));
        await lost;
        Assert.Equal(DeviceAppendResult.Appended, await Append(_rival, 3, 9));
        Assert.Equal(DeviceAppendResult.Conflict, await AppendUntilAnswered(3, _mark));
        Assert.Equal([1, 2, 3, 9], await ReadAll());
    }

    [ConditionalFact]
    public async Task An_append_that_takes_too_long_is_unknown_and_is_found_when_it_is_repeated()
    {
        // What is to succeed goes by a device that waits for a busy machine.
        _options.RequestTimeout = TimeSpan.FromSeconds(2);
        await using var impatient = await RedisFixture.OpenAsync(_options);
        await redis.Server.PauseAsync();
        try
        {
            var late = await Assert.ThrowsAsync<IOException>(
                () => Append(impatient, 3, _mark).WaitAsync(TimeSpan.FromMinutes(2)));
            Assert.Contains("Nothing is lost", late.Message, StringComparison.Ordinal);
        }
        finally
        {
            await redis.Server.ResumeAsync();
        }

        Assert.True(Enum.IsDefined(await AppendUntilAnswered(3, _mark)));
        Assert.Equal([1, 2, 3, .. _mark], await ReadAll());
    }

    [ConditionalFact]
    public async Task An_append_that_is_cancelled_under_way_ends_at_once_and_its_bytes_are_those_that_it_was_given()
    {
        var bytes = _mark.ToArray();
        await redis.Server.PauseAsync();
        try
        {
            using var cancel = new CancellationTokenSource();
            var append = _device.AppendAsync(Segment, 3, bytes, cancel.Token).AsTask();
            await cancel.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => append);

            // It is the caller's again.
            Array.Clear(bytes);
        }
        finally
        {
            await redis.Server.ResumeAsync();
        }

        Assert.True(Enum.IsDefined(await AppendUntilAnswered(3, _mark)));
        Assert.Equal([1, 2, 3, .. _mark], await ReadAll());
    }

    [ConditionalFact]
    public async Task A_server_without_memory_says_so_and_takes_the_append_when_there_is_some()
    {
        var server = redis.Admin.GetServers()[0];
        await server.ConfigSetAsync("maxmemory", "1mb");
        try
        {
            var full = await Assert.ThrowsAsync<IOException>(() => Append(_device, 3, new byte[1_000_000]));
            Assert.Contains("maxmemory", full.Message, StringComparison.Ordinal);
        }
        finally
        {
            await server.ConfigSetAsync("maxmemory", "0");
        }

        Assert.Equal(DeviceAppendResult.Appended, await Append(_device, 3, 4));
        Assert.Equal([1, 2, 3, 4], await ReadAll());
    }

    private static async Task<DeviceAppendResult> Append(ILogDevice device, long offset, params byte[] bytes) =>
        await device.AppendAsync(Segment, offset, bytes, default);

    /// <summary>As the log does it, until the client is connected again.</summary>
    private async Task<DeviceAppendResult> AppendUntilAnswered(long offset, byte[] bytes)
    {
        using var patience = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        while (true)
        {
            try
            {
                return await _device.AppendAsync(Segment, offset, bytes, patience.Token);
            }
            catch (IOException)
            {
                await Task.Yield();
            }
        }
    }

    private async Task<byte[]> ReadAll()
    {
        var buffer = new byte[1_000];
        return buffer[..await _rival.ReadAsync(Segment, 0, buffer, default)];
    }
}
