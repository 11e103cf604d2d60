using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;

namespace Polyjuice.Storage.Redis.Tests;

/// <summary>The log, in a server.</summary>
[RequiresRedis]
[Collection(RedisFixture.Name)]
public sealed class RedisLogStoreTests(RedisFixture redis) : LogStoreContract
{
    private readonly RedisLogOptions _place = redis.NewOptions();

    [ConditionalFact]
    public async Task An_append_whose_answer_got_lost_is_found_when_it_is_repeated_and_is_there_once()
    {
        var mark = "the marked batch"u8.ToArray();
        await using var way = new WireProxy(redis.Server.Port);
        var options = redis.NewOptions(way.Port);
        options.Lock = false;
        await using var store = await RedisLogStore.OpenAsync(options, NullLogger.Instance, default);
        await store.Open(0).Fill(2);
        foreach (var kind in new[] { WireFault.AnswerIsLost, WireFault.RequestIsLost, WireFault.RequestIsTorn })
        {
            var position = await store.Open(0).End();
            var lost = way.Next(mark, kind);
            await Assert.ThrowsAsync<IOException>(() => store.Open(0).Append(position, 70 + position, mark));
            await lost;
            Assert.Equal(
                AppendResult.Appended,
                await UntilAnsweredAsync(() => store.Open(0).Append(position, 70 + position, mark)));
            Assert.Equal([mark], await store.Open(0).Read(position, position + 1));
            Assert.Equal(position + 1, await store.Open(0).End());
        }
    }

    private protected override Task<SegmentedLogStore> OpenAsync(Action<SegmentedLogOptions>? configure = null)
    {
        var options = new RedisLogOptions { ConnectionString = _place.ConnectionString, KeyPrefix = _place.KeyPrefix,
            Lock = false };
        configure?.Invoke(options);
        return RedisLogStore.OpenAsync(options, NullLogger.Instance, default);
    }

    /// <summary>Until the client is connected again.</summary>
    private static async Task<AppendResult> UntilAnsweredAsync(Func<Task<AppendResult>> append)
    {
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        while (true)
        {
            try
            {
                return await append();
            }
            catch (IOException) when (!patience.IsCancellationRequested)
            {
                await Task.Yield();
            }
        }
    }
}
