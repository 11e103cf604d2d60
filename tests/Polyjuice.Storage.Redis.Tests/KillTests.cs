using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;

namespace Polyjuice.Storage.Redis.Tests;

[RequiresRedis]
public sealed class KillTests : LogServerKillContract, IAsyncLifetime
{
    private RedisServer _server = null!;
    private RedisLogOptions _options = null!;

    public async Task InitializeAsync()
    {
        _server = await RedisServer.StartAsync();
        _options = RedisFixture.Options(_server);
        _options.Lock = false;
        _options.SegmentBytes = 64 << 10;
        _options.NewPartitions = Partitions;
    }

    public async Task DisposeAsync()
    {
        if (_server is not null) await _server.DisposeAsync();
    }

    [ConditionalFact]
    public async Task A_server_that_has_forgotten_everything_is_not_taken_for_a_new_one()
    {
        await using var forgetful = await RedisServer.StartAsync("appendonly no");
        var options = RedisFixture.Options(forgetful);
        options.Durability = RedisDurability.AsConfigured;
        options.Lock = false;
        await using var store = await RedisLogStore.OpenAsync(options, NullLogger.Instance, default);
        await store.Open(0).Fill(10);
        await forgetful.KillAsync();
        await forgetful.StartAgainAsync();

        // Until the client is connected again, and from then on.
        LogUnusableException? damage = null;
        while (damage is null)
            damage = await Record.ExceptionAsync(() => store.Open(0).Append(10, 1, 1)) as LogUnusableException;
        Assert.IsType<LogDamagedException>(damage);
    }

    private protected override Task<SegmentedLogStore> OpenAsync() =>
        RedisLogStore.OpenAsync(_options, NullLogger.Instance, default);

    protected override Task KillAsync() => _server.KillAsync();

    protected override Task StartAgainAsync() => _server.StartAgainAsync();
}
