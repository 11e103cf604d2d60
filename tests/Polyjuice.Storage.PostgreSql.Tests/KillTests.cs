using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql.Tests;

/// <summary>Without more being asked for, the server here would answer before anything is on its disk.</summary>
[RequiresPostgreSql]
public sealed class KillTests : LogServerKillContract, IAsyncLifetime
{
    private PostgreSqlServer _server = null!;
    private PostgreSqlLogOptions _options = null!;

    public async Task InitializeAsync()
    {
        _server = await PostgreSqlServer.StartAsync(PostgreSqlFixture.CarelessSettings);
        _options = PostgreSqlFixture.Options(_server);
        _options.Lock = false;
        _options.SegmentBytes = 64 << 10;
        _options.NewPartitions = Partitions;
    }

    public async Task DisposeAsync()
    {
        if (_server is not null) await _server.DisposeAsync();
    }

    private protected override Task<SegmentedLogStore> OpenAsync() =>
        PostgreSqlLogStore.OpenAsync(_options, NullLogger.Instance, default);

    protected override Task KillAsync() => _server.KillAsync();

    protected override Task StartAgainAsync() => _server.StartAgainAsync();
}
