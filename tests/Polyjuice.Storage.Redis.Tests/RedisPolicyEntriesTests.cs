using Polyjuice.CommandLine;
using Polyjuice.Policies;
using Polyjuice.Publishing;

namespace Polyjuice.Storage.Redis.Tests;

[RequiresRedis]
[Collection(RedisFixture.Name)]
public sealed class RedisPolicyEntriesTests(RedisFixture redis) : PolicyEntriesContract
{
    private readonly string _prefix = redis.NewOptions().KeyPrefix;

    [ConditionalFact]
    public async Task A_publication_is_read_by_others_and_prefixes_keep_places_apart()
    {
        var release = await new PolicyRepository(Entries, TimeProvider.System).PublishAsync(
            PolicyWriter.Write(BuiltinPolicies.Get("occ").Document), "anna");

        Assert.Equal(1, release.Number);
        Assert.Equal(1, (await new PolicyRepository(Another(), TimeProvider.System).ReadAsync()).InForce);
        Assert.Equal(0, await new RedisPolicyEntries(redis.Admin, _prefix + "-other").GetLastAsync(default));
        Assert.Contains(
            "KeyPrefix", Assert.Throws<ArgumentException>(() => new RedisPolicyEntries(redis.Admin, "a}b")).Message,
            StringComparison.Ordinal);
    }

    [ConditionalFact]
    public async Task Policies_and_logs_share_a_prefix_and_do_not_see_each_other()
    {
        await Entries.CreateAsync(1, new byte[] { 1 }, default);
        var options = redis.NewOptions();
        options.KeyPrefix = _prefix;
        await using var store = await RedisLogStore.OpenAsync(
            options, Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance, default);
        await store.Open(0).Fill(3);

        Assert.Equal(1, await Entries.GetLastAsync(default));
        Assert.Equal(3, await store.Open(0).End());
    }

    [ConditionalFact]
    public async Task The_tool_says_what_is_published_at_their_address()
    {
        await new PolicyRepository(Entries, TimeProvider.System).PublishAsync(
            PolicyWriter.Write(BuiltinPolicies.Get("occ").Document), "anna");
        var (output, error) = (new StringWriter(), new StringWriter());

        string[] status = ["policy", "status", "--store", $"redis://127.0.0.1:{redis.Server.Port}/0/{_prefix}"];
        Assert.Equal(ExitCodes.Done, await Cli.CommandLine.RunAsync(status, output, error, default));
        Assert.Contains("anna", output.ToString(), StringComparison.Ordinal);

        // Nobody is there.
        status[^1] = $"redis://127.0.0.1:{LoopbackPorts.Free(1)[0]}/0/{_prefix}";
        Assert.NotEqual(ExitCodes.Done, await Cli.CommandLine.RunAsync(status, output, error, default));
        Assert.Contains("can't connect to redis://127.0.0.1", error.ToString(), StringComparison.Ordinal);
    }

    private protected override ValueTask<IPolicyEntries> OpenAsync() => new(Another());

    private protected override IPolicyEntries Another() => new RedisPolicyEntries(redis.Admin, _prefix);
}
