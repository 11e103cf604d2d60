using Microsoft.Extensions.Logging.Abstractions;
using Npgsql;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql.Tests;

/// <summary>
/// The primary is killed in the middle of appends, and its synchronous standby takes over: nothing that was answered is
/// lost, and appends go on by themselves.
/// </summary>
[RequiresPostgreSql]
public sealed class FailoverTests : LogServerKillContract, IAsyncLifetime
{
    private StandbyChain _servers = null!;
    private PostgreSqlLogOptions _options = null!;

    public async Task InitializeAsync()
    {
        if (PostgreSqlInstallation.Missing is not null) return;
        _servers = await StandbyChain.StartAsync(failovers: 3);
        _options = _servers.NewOptions();
        (_options.Lock, _options.SegmentBytes, _options.NewPartitions) = (false, 64 << 10, Partitions);
    }

    public async Task DisposeAsync()
    {
        if (_servers is not null) await _servers.DisposeAsync();
    }

    private protected override Task<SegmentedLogStore> OpenAsync() =>
        PostgreSqlLogStore.OpenAsync(_options, NullLogger.Instance, default);

    protected override Task KillAsync() => _servers.KillPrimaryAsync();

    protected override Task StartAgainAsync() => _servers.TakeOverAsync();
}

/// <summary>
/// A standby that is behind takes over. What was answered is lost then, as the server's operator chose; a silo that
/// knows more than the log must not go on from there.
/// </summary>
[RequiresPostgreSql]
public sealed class LateStandbyTests : IAsyncLifetime
{
    private PostgreSqlServer _primary = null!;
    private PostgreSqlServer _standby = null!;
    private PostgreSqlLogOptions _options = null!;

    public async Task InitializeAsync()
    {
        if (PostgreSqlInstallation.Missing is not null) return;
        _primary = await PostgreSqlServer.StartAsync();
        _standby = await _primary.StartStandbyAsync();
        _options = PostgreSqlFixture.Options(_primary);
        _options.ConnectionString = Hosts.Of([_primary, _standby]);
        _options.Lock = false;
    }

    public async Task DisposeAsync()
    {
        if (_standby is not null) await _standby.DisposeAsync();
        if (_primary is not null) await _primary.DisposeAsync();
    }

    [ConditionalFact]
    public async Task Who_knows_more_than_the_new_primary_has_appends_nothing_more_and_says_why()
    {
        await using var store = await PostgreSqlLogStore.OpenAsync(_options, NullLogger.Instance, default);
        foreach (var partition in new[] { 0, 1 }) await store.Open(partition).Fill(3);
        await FallBehindAsync();
        await store.Open(0).Fill(2);
        await _primary.KillAsync();
        await _standby.PromoteAsync();

        for (var i = 0; i < 3; i++)
        {
            var exception = await Assert.ThrowsAsync<LogUnusableException>(() => AppendUntilAnswered(store.Open(0), 5));
            Assert.Contains("a replica that was behind has taken over", exception.Message, StringComparison.Ordinal);
        }

        // The others have lost nothing, and who is started again goes on from what there is.
        Assert.Equal(AppendResult.Appended, await AppendUntilAnswered(store.Open(1), 3));
        await using var again = await PostgreSqlLogStore.OpenAsync(_options, NullLogger.Instance, default);
        Assert.Equal(3, await again.Open(0).End());
        Assert.Equal(AppendResult.Appended, await AppendUntilAnswered(again.Open(0), 3));
        await Assert.ThrowsAsync<LogUnusableException>(() => AppendUntilAnswered(store.Open(0), 5));
    }

    // Up to here it has everything, and nothing of what comes.
    private async Task FallBehindAsync()
    {
        await using var primary = NpgsqlDataSource.Create(_primary.ConnectionString);
        await using var standby = NpgsqlDataSource.Create(_standby.ConnectionString);
        var end = await RunAsync(primary, "SELECT pg_current_wal_insert_lsn()::text");
        while (!true.Equals(await RunAsync(standby, $"SELECT pg_last_wal_replay_lsn() >= '{end}'"))) await Task.Yield();
        await RunAsync(standby, "ALTER SYSTEM SET primary_conninfo = ''");
        await RunAsync(standby, "SELECT pg_reload_conf()");
        while (await RunAsync(standby, "SELECT count(*) FROM pg_stat_wal_receiver") is not 0L) await Task.Yield();
    }

    private static async Task<AppendResult> AppendUntilAnswered(IPartitionLog log, long position)
    {
        while (true)
        {
            try
            {
                return await log.Append(position, 70 + position, 1, 2, 3);
            }
            catch (IOException)
            {
            }
        }
    }

    private static async Task<object?> RunAsync(NpgsqlDataSource source, string sql)
    {
        await using var command = source.CreateCommand(sql);
        return await command.ExecuteScalarAsync();
    }
}
