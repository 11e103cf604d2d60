using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;
using Polyjuice.Tests.Clusters;

namespace Polyjuice.Storage.PostgreSql.Tests.Hosting;

/// <summary>Silos whose server's primary dies, and whose synchronous standby takes over.</summary>
[RequiresPostgreSql]
public sealed class ClusterThroughFailoverTests : ClusterOnLogsContract, IAsyncLifetime
{
    private StandbyChain _servers = null!;
    private PostgreSqlLogOptions _options = null!;

    public async Task InitializeAsync()
    {
        if (PostgreSqlInstallation.Missing is not null) return;
        _servers = await StandbyChain.StartAsync(failovers: 2);
        _options = _servers.NewOptions();
    }

    public async Task DisposeAsync()
    {
        if (_servers is not null) await _servers.DisposeAsync();
    }

    private protected override Task<SegmentedLogStore> OpenAsync() =>
        PostgreSqlLogStore.OpenAsync(_options, NullLogger.Instance, default);

    protected override async Task CrashServerAsync()
    {
        await _servers.KillPrimaryAsync();
        await _servers.TakeOverAsync();
    }
}
