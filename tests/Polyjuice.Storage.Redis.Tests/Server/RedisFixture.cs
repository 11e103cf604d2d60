using Orleans.Configuration;
using StackExchange.Redis;

namespace Polyjuice.Storage.Redis.Tests;

/// <summary>One server for all classes that ask for it, which take a prefix each time.</summary>
[CollectionDefinition(Name)]
public sealed class RedisFixture : IAsyncLifetime, ICollectionFixture<RedisFixture>
{
    public const string Name = "Redis";
    private RedisServer? _server;
    private IConnectionMultiplexer? _admin;

    public RedisServer Server =>
        _server ?? throw new InvalidOperationException(RedisInstallation.Missing ?? "The server was not started.");

    /// <summary>Who may do everything.</summary>
    public IConnectionMultiplexer Admin => _admin!;

    public async Task InitializeAsync()
    {
        // Then its tests are skipped; or they fail, each with the reason.
        if (RedisInstallation.Missing is not null) return;
        _server = await RedisServer.StartAsync();
        _admin = await ConnectionMultiplexer.ConnectAsync(_server.ConnectionString + ",allowAdmin=true");
    }

    public async Task DisposeAsync()
    {
        if (_admin is not null) await _admin.DisposeAsync();
        if (_server is not null) await _server.DisposeAsync();
    }

    /// <summary>Options for a prefix that nobody has.</summary>
    internal RedisLogOptions NewOptions(int? port = null) => Options(Server, port);

    internal static RedisLogOptions Options(RedisServer server, int? port = null) => new()
    {
        ConnectionString = port is { } other ? $"127.0.0.1:{other}" : server.ConnectionString,
        KeyPrefix = $"test-{Guid.NewGuid():N}",
        LockWait = TimeSpan.Zero,
    };

    /// <summary>A device as a store makes it, or with settings that only tests have.</summary>
    internal static async Task<RedisLogDevice> OpenAsync(RedisLogOptions options, RedisDeviceSettings? settings = null)
    {
        var redis = await RedisClients.ConnectAsync(
            RedisClients.Settings(options), new RedisErrors("the server"), default);
        return new RedisLogDevice(
            redis, (settings ?? new()) with { Prefix = options.KeyPrefix, LeaseDuration = options.LeaseDuration },
            ownsRedis: true);
    }
}
