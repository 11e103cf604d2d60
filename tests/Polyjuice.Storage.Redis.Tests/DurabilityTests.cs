using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;

namespace Polyjuice.Storage.Redis.Tests;

/// <summary>
/// A server that would lose what it has answered is refused, or warned of where that was allowed; and so is one that
/// refuses us.
/// </summary>
[RequiresRedis]
[Collection(RedisFixture.Name)]
public sealed class DurabilityTests(RedisFixture redis)
{
    private readonly RedisLogOptions _options = redis.NewOptions();

    [ConditionalFact]
    public async Task A_server_that_would_lose_what_it_answered_is_refused_or_warned_of()
    {
        (string Setting, string Expected)[] careless =
        [
            ("appendonly no", "appendonly"),
            ("appendfsync everysec", "'appendfsync' is 'everysec'"),
            ("no-appendfsync-on-rewrite yes", "while it rewrites its file"),
            ("maxmemory-policy allkeys-lru", "'maxmemory-policy' is 'allkeys-lru'"),
        ];
        foreach (var (setting, expected) in careless)
        {
            await using var server = await RedisServer.StartAsync(setting);
            var options = RedisFixture.Options(server);
            var refused = await Assert.ThrowsAsync<LogUnusableException>(
                () => RedisLogStore.OpenAsync(options, NullLogger.Instance, default));
            Check(refused, expected, "appendfsync always", "AsConfigured");
            options.Durability = RedisDurability.AsConfigured;
            var said = new List<string>();
            await (await RedisLogStore.OpenAsync(options, new Listener(said), default)).DisposeAsync();
            Assert.Contains(
                said, line => line.StartsWith("Warning", StringComparison.Ordinal)
                && line.Contains(expected, StringComparison.Ordinal));
        }

        var sound = new List<string>();
        await (await RedisLogStore.OpenAsync(_options, new Listener(sound), default)).DisposeAsync();
        Assert.DoesNotContain(sound, line => line.StartsWith("Warning", StringComparison.Ordinal));
    }

    [ConditionalFact]
    public async Task A_user_needs_the_rights_that_the_documentation_names_and_one_without_is_told()
    {
        var user = $"user-{Guid.NewGuid():N}";
        var server = redis.Admin.GetServers()[0];
        await server.ExecuteAsync(
            "ACL", "SETUSER", user, "on", ">topsecret", "~*", "+@connection", "+config|get", "+info");
        _options.ConnectionString += $",user={user},password=topsecret";
        var refused = await Assert.ThrowsAsync<UnauthorizedAccessException>(OpenAsync);
        Check(refused, "NOPERM", "+@scripting");
        await server.ExecuteAsync(
            "ACL", "SETUSER", user, "reset", "on", ">topsecret", $"~{{{_options.KeyPrefix}}}*", "+@read", "+@write",
            "+@scripting", "+@connection", "+config|get");
        await using (var store = await OpenAsync())
        {
            await store.Open(0).Fill(3);
            await store.Open(0).WriteCheckpointAsync(3, LogCalls.Pieces([1]), default);
            await store.Open(0).TrimAsync(default);
        }
    }

    [ConditionalFact]
    public async Task A_server_that_does_not_let_somebody_in_is_said_to_and_no_secret_is_shown()
    {
        await using var server = await RedisServer.StartAsync("requirepass rightsecret");
        var options = RedisFixture.Options(server);
        foreach (var password in new[] { "", ",password=wrongsecret" })
        {
            options.ConnectionString = server.ConnectionString + password;
            var refused = await Assert.ThrowsAsync<UnauthorizedAccessException>(
                () => RedisLogStore.OpenAsync(options, NullLogger.Instance, default));
            Check(refused, "user and password");
            Assert.DoesNotContain("wrongsecret", refused.ToString(), StringComparison.Ordinal);
        }

        options.ConnectionString = server.ConnectionString + ",password=rightsecret";
        await (await RedisLogStore.OpenAsync(options, NullLogger.Instance, default)).DisposeAsync();
    }

    [ConditionalFact]
    public async Task A_server_that_does_not_say_how_it_is_set_is_refused_unless_that_is_allowed()
    {
        var user = $"user-{Guid.NewGuid():N}";
        await redis.Admin.GetServers()[0].ExecuteAsync("ACL", "SETUSER", user, "on", ">p", "~*", "+@all", "-config");
        _options.ConnectionString += $",user={user},password=p";
        Check(await Assert.ThrowsAsync<LogUnusableException>(OpenAsync), "does not say how it is set", "AsConfigured");
        _options.Durability = RedisDurability.AsConfigured;
        await using var store = await OpenAsync();
        await store.Open(0).Fill(1);
    }

    [ConditionalFact]
    public async Task A_server_that_is_not_there_is_named_and_no_secret_is_shown()
    {
        var port = LoopbackPorts.Free(1)[0];
        _options.ConnectionString = $"127.0.0.1:{port},password=topsecret";
        var unreachable = await Assert.ThrowsAsync<IOException>(OpenAsync);
        Check(unreachable, $"redis://127.0.0.1:{port}/0/{_options.KeyPrefix}", "can't be reached", "firewall");
        Assert.DoesNotContain("topsecret", unreachable.ToString(), StringComparison.Ordinal);
    }

    private static void Check(Exception exception, params string[] parts) =>
        Assert.All(parts, part => Assert.Contains(part, exception.Message, StringComparison.Ordinal));

    private Task<SegmentedLogStore> OpenAsync() => RedisLogStore.OpenAsync(_options, NullLogger.Instance, default);

    private sealed class Listener(List<string> said) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?,
            string> formatter) => said.Add($"{logLevel} {formatter(state, exception)}");
    }
}
