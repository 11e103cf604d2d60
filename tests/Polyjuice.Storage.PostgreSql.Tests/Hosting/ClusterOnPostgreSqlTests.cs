using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;
using Polyjuice.Tests.Clusters;

namespace Polyjuice.Storage.PostgreSql.Tests.Hosting;

/// <summary>Each test has a server of its own, which it may kill.</summary>
[RequiresPostgreSql]
public sealed class ClusterOnPostgreSqlTests : ClusterOnLogsContract, IAsyncLifetime
{
    private PostgreSqlServer _server = null!;
    private PostgreSqlLogOptions _options = null!;

    public async Task InitializeAsync()
    {
        if (PostgreSqlInstallation.Missing is not null) return;
        _server = await PostgreSqlServer.StartAsync(PostgreSqlFixture.CarelessSettings);
        _options = PostgreSqlFixture.Options(_server);
    }

    public async Task DisposeAsync()
    {
        if (_server is not null) await _server.DisposeAsync();
    }

    private protected override Task<SegmentedLogStore> OpenAsync() =>
        PostgreSqlLogStore.OpenAsync(_options, NullLogger.Instance, default);

    protected override async Task CrashServerAsync()
    {
        await _server.KillAsync();
        await _server.StartAgainAsync();
    }
}
