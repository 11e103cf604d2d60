using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;
using Polyjuice.Cli;

namespace Polyjuice.Storage.Redis.Tests;

/// <summary>
/// Keys that nobody here has written like this: refused with segment and offset and what to do. And how the tool looks
/// at them.
/// </summary>
[RequiresRedis]
[Collection(RedisFixture.Name)]
public sealed class WrongKeysTests(RedisFixture redis)
{
    private const string Segment = "p00000/00000000000000000000.log";
    private readonly RedisLogOptions _options = redis.NewOptions();

    [ConditionalFact]
    public async Task A_damaged_batch_is_named_with_segment_and_offset()
    {
        await FillAsync();
        await DamageAsync();
        await using var store = await OpenAsync();
        var damage = await Assert.ThrowsAsync<LogDamagedException>(() => store.Open(0).End());
        foreach (
            var part in new[] { $"{store.Location}/{Segment}", "offset 91", "checksum",
                $"polyjuice log verify --data {store.Location}" })
            Assert.Contains(part, damage.Message, StringComparison.Ordinal);
    }

    [ConditionalFact]
    public async Task A_log_that_has_become_shorter_as_after_a_failover_takes_no_more_appends_of_who_knew_it()
    {
        await FillAsync();
        await using var store = await OpenAsync();
        Assert.Equal(10, await store.Open(0).End());
        var keys = redis.Admin.GetDatabase();
        await keys.StringSetAsync(Key, await keys.StringGetRangeAsync(Key, 0, 90));
        for (var i = 0; i < 3; i++)
        {
            var refused = await Assert.ThrowsAsync<LogUnusableException>(() => store.Open(0).Append(10, 1_010, 1));
            Assert.Contains("ended at 550 before, with batch 9", refused.Message, StringComparison.Ordinal);
        }
    }

    [ConditionalFact]
    public async Task The_tool_verifies_and_dumps_a_server_and_names_what_is_damaged()
    {
        await FillAsync();
        var location = $"redis://127.0.0.1:{redis.Server.Port}/0/{_options.KeyPrefix}";
        var (sound, text, _) = await ToolAsync("log", "verify", "--data", location);
        Assert.Equal(0, sound);
        Assert.Contains(
            "partition 0: sound; batches 0 to 9 in 1 segment(s), 10 records", text, StringComparison.Ordinal);
        Assert.Contains("checkpoint of 3 batches (1 records", text, StringComparison.Ordinal);
        var (dumped, records, _) = await ToolAsync(
            "log", "dump", "--data", location, "--partition", "0", "--from", "9", "--no-checkpoint");
        Assert.Equal(0, dumped);
        Assert.Equal("p0 batch 9 n1.1009: Ceiling timestamp=0.0", records.Trim());
        await DamageAsync();
        var (damaged, report, _) = await ToolAsync("log", "verify", "--data", location);
        Assert.Equal(1, damaged);
        Assert.Contains($"{location}/{Segment} at offset 91", report, StringComparison.Ordinal);
        var (nothing, _, error) = await ToolAsync("log", "verify", "--data", location + "x");
        Assert.Equal(2, nothing);
        Assert.Contains("There are no logs in", error, StringComparison.Ordinal);
    }

    private static async Task<(int ExitCode, string Output, string Error)> ToolAsync(params string[] args)
    {
        var (output, error) = (new StringWriter(), new StringWriter());
        return (await Cli.CommandLine.RunAsync(args, output, error), output.ToString(), error.ToString());
    }

    private string Key => $"{{{_options.KeyPrefix}}}:logs:{Segment}";

    /// <summary>Ten batches of one record (a ceiling) and a checkpoint of three.</summary>
    private async Task FillAsync()
    {
        await using var store = await OpenAsync();
        byte[] batch = [1, 2, 0, 0, 0, 2, 0];
        for (var position = 0; position < 10; position++) Assert.Equal(
            AppendResult.Appended, await store.Open(0).Append(position, 1_000 + position, batch));
        await store.Open(0).WriteCheckpointAsync(3, LogCalls.Pieces(batch), default);
    }

    private async Task DamageAsync()
    {
        var keys = redis.Admin.GetDatabase();
        var was = (byte[])(await keys.StringGetRangeAsync(Key, 134, 134))!;
        await keys.StringSetRangeAsync(Key, 134, new[] { (byte)(was[0] ^ 1) });
    }

    private Task<SegmentedLogStore> OpenAsync() => RedisLogStore.OpenAsync(_options, NullLogger.Instance, default);
}
