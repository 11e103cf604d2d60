using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;
using Polyjuice.Tests.Clusters;

namespace Polyjuice.Storage.Redis.Tests.Hosting;

/// <summary>Each test has a server of its own, which it may kill.</summary>
[RequiresRedis]
public sealed class ClusterOnRedisTests : ClusterOnLogsContract, IAsyncLifetime
{
    private RedisServer _server = null!;
    private RedisLogOptions _options = null!;

    public async Task InitializeAsync()
    {
        _server = await RedisServer.StartAsync();
        _options = RedisFixture.Options(_server);
    }

    public async Task DisposeAsync()
    {
        if (_server is not null) await _server.DisposeAsync();
    }

    private protected override Task<SegmentedLogStore> OpenAsync() =>
        RedisLogStore.OpenAsync(_options, NullLogger.Instance, default);

    protected override async Task CrashServerAsync()
    {
        await _server.KillAsync();
        await _server.StartAgainAsync();
    }
}
