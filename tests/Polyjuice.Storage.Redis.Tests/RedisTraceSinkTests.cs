using Polyjuice.Cli.Training.Trainer;
using Polyjuice.Tracing;

namespace Polyjuice.Storage.Redis.Tests;

[RequiresRedis]
[Collection(RedisFixture.Name)]
public sealed class RedisTraceSinkTests(RedisFixture redis) : TraceSinkContract
{
    private readonly string _prefix = redis.NewOptions().KeyPrefix;

    [ConditionalFact]
    public async Task Prefixes_keep_places_apart_and_traces_are_no_logs()
    {
        await using (await Open().CreateAsync("1-2-0000.pjtrace", default))
        {
        }

        Assert.Empty(await new RedisTraceSink(redis.Admin, _prefix + "-other").Source.ListAsync(default));
        var options = redis.NewOptions();
        options.KeyPrefix = _prefix;
        await using var store = await RedisLogStore.OpenAsync(
            options, Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance, default);
        Assert.Equal(0, await store.Open(0).End());
        Assert.Contains(
            "KeyPrefix", Assert.Throws<ArgumentException>(() => new RedisTraceSink(redis.Admin, "a}b")).Message,
            StringComparison.Ordinal);
    }

    [ConditionalFact]
    public async Task The_tool_reads_them_by_their_address()
    {
        await using (var stream = await Open().CreateAsync("1-2-0000.pjtrace", default))
            await stream.WriteAsync("one"u8.ToArray());

        var source = TraceLocation.Parse($"redis://127.0.0.1:{redis.Server.Port}/0/{_prefix}", "--traces");

        var file = Assert.Single(await source.ListAsync(default));
        Assert.Equal(("1-2-0000.pjtrace", 3L), (file.Name, file.Bytes));
    }

    private protected override ITraceSink Open() => new RedisTraceSink(redis.Admin, _prefix);
}
