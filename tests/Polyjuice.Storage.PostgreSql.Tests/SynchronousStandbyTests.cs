using Microsoft.Extensions.Logging.Abstractions;
using Npgsql;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql.Tests;

/// <summary>
/// Where a synchronous standby is asked for, nothing is answered before it has it. The server itself says "done" to who
/// gives up waiting for the standby, and shows what it has to everybody.
/// </summary>
[RequiresPostgreSql]
public sealed class SynchronousStandbyTests : IAsyncLifetime
{
    private PostgreSqlServer _server = null!;
    private NpgsqlDataSource _admin = null!;
    private PostgreSqlLogOptions _options = null!;
    private SegmentedLogStore _store = null!;

    public async Task InitializeAsync()
    {
        if (PostgreSqlInstallation.Missing is not null) return;
        _server = await PostgreSqlServer.StartAsync();
        _admin = NpgsqlDataSource.Create(_server.ConnectionString);
        _options = PostgreSqlFixture.Options(_server);
        _options.Lock = false;

        // Long enough for what is to succeed on a busy machine, and not for those who wait for it in vain.
        _options.RequestTimeout = TimeSpan.FromSeconds(3);
        _store = await PostgreSqlLogStore.OpenAsync(_options, NullLogger.Instance, default);
        await _store.Open(0).Fill(3);
        await WaitForStandbyAsync("a_standby_that_is_not_there");
    }

    public async Task DisposeAsync()
    {
        if (PostgreSqlInstallation.Missing is not null) return;
        await _store.DisposeAsync();
        await _admin.DisposeAsync();
        await _server.DisposeAsync();
    }

    [ConditionalFact]
    public async Task An_append_that_no_standby_has_is_not_answered_however_often_it_is_repeated()
    {
        for (var i = 0; i < 3; i++)
        {
            var unknown = await Assert.ThrowsAsync<IOException>(() => _store.Open(0).Append(3, 70, 1, 2, 3));
            Assert.Contains("standby", unknown.Message, StringComparison.Ordinal);
        }

        await WaitForStandbyAsync("");
        Assert.Equal(AppendResult.Appended, await _store.Open(0).Append(3, 70, 1, 2, 3));
        Assert.Equal(4, await _store.Open(0).End());
    }

    [ConditionalFact]
    public async Task An_append_whose_wait_for_a_standby_somebody_cancels_is_not_answered()
    {
        _options.RequestTimeout = TimeSpan.FromMinutes(5);
        await using var store = await PostgreSqlLogStore.OpenAsync(_options, NullLogger.Instance, default);
        Assert.Equal(3, await store.Open(0).End());
        for (var i = 0; i < 3; i++)
        {
            var append = store.Open(0).Append(3, 70, 1, 2, 3);
            while (await RunAsync(
                "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") is 0L)
            {
            }

            await Assert.ThrowsAsync<IOException>(() => append);
        }

        await WaitForStandbyAsync("");
        Assert.Equal(AppendResult.Appended, await store.Open(0).Append(3, 70, 1, 2, 3));
        Assert.Equal(4, await store.Open(0).End());
    }

    [ConditionalFact]
    public async Task An_object_that_no_standby_has_is_not_said_to_be_there()
    {
        await using var device = await PostgreSqlDevices.OpenAsync(_options);
        await Assert.ThrowsAsync<IOException>(
            async () => await device.PutAsync("p0/1", LogCalls.Pieces([1, 2]), overwrite: false, default));
        await Assert.ThrowsAsync<IOException>(async () => await device.GetLengthAsync("p0/1", default));
        await WaitForStandbyAsync("");
        Assert.Equal(2, await device.GetLengthAsync("p0/1", default));
    }

    [ConditionalFact]
    public async Task A_standby_that_comes_later_has_what_is_answered_then()
    {
        var unknown = Assert.ThrowsAsync<IOException>(() => _store.Open(0).Append(3, 70, 1, 2, 3));
        await using var standby = await _server.StartStandbyAsync();
        await unknown;
        await WaitForStandbyAsync("walreceiver");
        Assert.Equal(AppendResult.Appended, await AppendUntilAnswered());
        await _server.KillAsync();
        await standby.PromoteAsync();
        var there = PostgreSqlFixture.Options(standby);
        there.Schema = _options.Schema;
        there.Lock = false;
        await using var store = await PostgreSqlLogStore.OpenAsync(there, NullLogger.Instance, default);
        Assert.Equal([[1, 2, 3]], await store.Open(0).Read(3, 4));
    }

    private async Task<AppendResult> AppendUntilAnswered()
    {
        while (true)
        {
            try
            {
                return await _store.Open(0).Append(3, 70, 1, 2, 3);
            }
            catch (IOException)
            {
            }
        }
    }

    /// <summary>Whom commits wait for from now on; nobody, if empty.</summary>
    private async Task WaitForStandbyAsync(string name)
    {
        await RunAsync($"ALTER SYSTEM SET synchronous_standby_names = '{name}'");
        await RunAsync("SELECT pg_reload_conf()");

        // New sessions have it as soon as the server has read it.
        while (true)
        {
            await using var connection = new NpgsqlConnection($"{_server.ConnectionString};Pooling=false");
            await connection.OpenAsync();
            await using var command = new NpgsqlCommand("SHOW synchronous_standby_names", connection);
            if (name.Equals(await command.ExecuteScalarAsync())) return;
        }
    }

    private async Task<object?> RunAsync(string sql)
    {
        await using var command = _admin.CreateCommand(sql);
        return await command.ExecuteScalarAsync();
    }
}
