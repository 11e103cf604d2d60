using Orleans.Configuration;

namespace Polyjuice.Storage.Redis.Tests;

/// <summary>What every device promises.</summary>
[RequiresRedis]
[Collection(RedisFixture.Name)]
public sealed class RedisLogDeviceTests(RedisFixture redis) : LogDeviceContract
{
    private readonly RedisLogOptions _options = redis.NewOptions();

    protected override async ValueTask<ILogDevice> OpenAsync() => await RedisFixture.OpenAsync(_options);

    [ConditionalFact]
    public async Task Clusters_with_prefixes_of_their_own_do_not_see_each_other()
    {
        _options.KeyPrefix += "/a";
        await using var one = await RedisFixture.OpenAsync(_options);
        _options.KeyPrefix += "/b/";
        await using var other = await RedisFixture.OpenAsync(_options);
        await one.CreateAsync("p00000/1.log", default);
        await other.CreateAsync("p00000/2.log", default);
        Assert.Equal(["p00000/1.log"], (await one.ListAsync("p", default)).Select(entry => entry.Name));
        Assert.Equal(["p00000/2.log"], (await other.ListAsync("p", default)).Select(entry => entry.Name));
        await using var lockOfOne = await one.LockAsync("one", default);
        await using var lockOfOther = await other.LockAsync("other", default);
        Assert.Equal($"redis://127.0.0.1:{redis.Server.Port}/0/{_options.KeyPrefix.TrimEnd('/')}", other.Location);
    }

    [ConditionalFact]
    public async Task An_object_of_many_pieces_is_seen_when_it_is_whole_and_not_before()
    {
        await using var device = await RedisFixture.OpenAsync(_options, new() { PieceBytes = 1_000 });
        foreach (var length in new[] { 999, 1_000, 1_001, 2_000, 54_321 })
        {
            var bytes = Enumerable.Range(0, length).Select(i => (byte)(i % 251)).ToArray();
            var seen = new List<int>();
            async IAsyncEnumerable<ReadOnlyMemory<byte>> Content()
            {
                for (var at = 0; at < length; at += 700)
                {
                    seen.Add((await device.ListAsync("object", default)).Count);
                    yield return bytes.AsMemory(at, Math.Min(700, length - at));
                }
            }

            Assert.True(await device.PutAsync($"object{length}", Content(), overwrite: false, default));
            Assert.All(seen, count => Assert.Equal(seen[0], count));
            Assert.Equal(bytes, await ReadAll(device, $"object{length}"));
            var middle = new byte[Math.Min(1_500, length - 500)];
            Assert.Equal(middle.Length, await device.ReadAsync($"object{length}", 500, middle, default));
            Assert.Equal(bytes.AsSpan(500, middle.Length).ToArray(), middle);
        }
    }

    [ConditionalFact]
    public async Task What_is_replaced_or_deleted_leaves_no_keys_and_what_a_failed_put_leaves_goes_by_itself()
    {
        await Device.CreateAsync("p00000/1.log", default);
        for (var i = 0; i < 3; i++) await Device.PutAsync(
            "object", Pieces(new byte[3_000_000]), overwrite: true, default);
        await Assert.ThrowsAsync<TimeZoneNotFoundException>(
            async () => await Device.PutAsync("other", Failing(), overwrite: true, default));
        await Device.DeleteAsync("object", default);
        await Device.DeleteAsync("p00000/1.log", default);
        var left = redis.Admin.GetServers()[0].Keys(pattern: $"{{{_options.KeyPrefix}}}*").ToList();
        Assert.Contains(":_put:", Assert.Single(left).ToString(), StringComparison.Ordinal);
        Assert.InRange(
            (await redis.Admin.GetDatabase().KeyTimeToLiveAsync(left[0]))!.Value, TimeSpan.FromMinutes(50),
            TimeSpan.FromHours(1));

        static async IAsyncEnumerable<ReadOnlyMemory<byte>> Failing()
        {
            yield return new byte[2_000_000];
            await ValueTask.CompletedTask;
            throw new TimeZoneNotFoundException("the content's own");
        }
    }

    [ConditionalFact]
    public async Task A_put_that_comes_late_does_not_replace_what_is_newer()
    {
        await Device.PutAsync("object", Pieces([1]), overwrite: true, default);

        // It looked at what was there, and another one has come before its content was read.
        async IAsyncEnumerable<ReadOnlyMemory<byte>> Late()
        {
            await Rival.PutAsync("object", Pieces([2]), overwrite: true, default);
            yield return new byte[] { 3 };
        }

        Assert.True(await Device.PutAsync("object", Late(), overwrite: true, default));
        Assert.Equal([3], await ReadAll(Rival, "object"));
        var stale = redis.Admin.GetDatabase();
        var root = $"{{{_options.KeyPrefix}}}:logs";
        await stale.HashSetAsync($"{root}:_put:late", "0", "old");
        Assert.Equal(
            0, (int)await stale.ScriptEvaluateAsync(
            RedisScripts.Put, [$"{root}:object", root, $"{root}:_put:late"],
            ["object", "another put", "late", 3, 1_000]));
        Assert.Equal([3], await ReadAll(Rival, "object"));
    }

    [ConditionalFact]
    public async Task An_object_whose_pieces_are_gone_before_it_is_put_is_not_put()
    {
        async IAsyncEnumerable<ReadOnlyMemory<byte>> Slow()
        {
            yield return new byte[2_000_000];
            var staged = redis.Admin.GetServers()[0].Keys(pattern: $"{{{_options.KeyPrefix}}}:logs:_put:*").Single();
            await redis.Admin.GetDatabase().KeyDeleteAsync(staged);
            yield return new byte[100];
        }

        await Device.PutAsync("object", Pieces([1]), overwrite: true, default);
        await Assert.ThrowsAsync<IOException>(
            async () => await Device.PutAsync("object", Slow(), overwrite: true, default));
        Assert.Equal([1], await ReadAll(Device, "object"));
    }

    [ConditionalFact]
    public async Task A_key_that_somebody_deleted_is_missed_and_one_of_another_type_is_named()
    {
        await Device.CreateAsync("p00000/1.log", default);
        await redis.Admin.GetDatabase().KeyDeleteAsync($"{{{_options.KeyPrefix}}}:logs:p00000/1.log");
        Assert.Contains(
            "evicted",
            (await Assert.ThrowsAsync<LogDamagedException>(async () => await Device.ListAsync("p", default))).Message,
            StringComparison.Ordinal);
        await Assert.ThrowsAsync<FileNotFoundException>(
            async () => await Device.AppendAsync("p00000/1.log", 0, new byte[1], default));
        await redis.Admin.GetDatabase().ListLeftPushAsync($"{{{_options.KeyPrefix}}}:logs:p00000/1.log", "theirs");
        var wrong = await Assert.ThrowsAsync<IOException>(
            async () => await Device.AppendAsync("p00000/1.log", 0, new byte[1], default));
        Assert.Contains("another type", wrong.Message, StringComparison.Ordinal);
    }
}
