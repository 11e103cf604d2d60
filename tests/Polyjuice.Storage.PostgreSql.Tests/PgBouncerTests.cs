using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql.Tests;

/// <summary>What every device promises, through a pooler in session mode.</summary>
[RequiresPgBouncer]
[Collection(PgBouncerFixture.Name)]
public sealed class PgBouncerDeviceTests(PgBouncerFixture fixture) : LogDeviceContract
{
    private readonly PostgreSqlLogOptions _options = fixture.NewOptions();

    protected override async ValueTask<ILogDevice> OpenAsync() => await PostgreSqlDevices.OpenAsync(_options);
}

/// <summary>The logs of a store through a pooler in session mode.</summary>
[RequiresPgBouncer]
[Collection(PgBouncerFixture.Name)]
public sealed class PgBouncerStoreTests(PgBouncerFixture fixture) : LogStoreContract
{
    private readonly PostgreSqlLogOptions _place = fixture.NewOptions();

    private protected override Task<SegmentedLogStore> OpenAsync(Action<SegmentedLogOptions>? configure = null)
    {
        var options = fixture.NewOptions();
        (options.Schema, options.Lock) = (_place.Schema, false);
        configure?.Invoke(options);
        return PostgreSqlLogStore.OpenAsync(options, NullLogger.Instance, default);
    }
}

/// <summary>A pooler that hands sessions on, or takes none with settings: a store says so when it is opened.</summary>
[RequiresPgBouncer]
[Collection(PgBouncerFixture.Name)]
public sealed class PgBouncerModesTests(PgBouncerFixture fixture)
{
    [ConditionalFact]
    public async Task A_pooler_that_hands_sessions_on_after_each_transaction_is_refused()
    {
        await using var pooler = await PgBouncer.StartAsync(
            fixture.Server.Port, "pool_mode = transaction", PgBouncerFixture.LeavesOutOptions);

        var exception = await Assert.ThrowsAsync<IOException>(() => OpenAsync(pooler));

        Assert.Contains("pool_mode = session", exception.Message, StringComparison.Ordinal);
    }

    [ConditionalFact]
    public async Task A_pooler_that_hands_sessions_on_is_refused_although_others_use_it()
    {
        await using var pooler = await PgBouncer.StartAsync(
            fixture.Server.Port, "pool_mode = transaction", PgBouncerFixture.LeavesOutOptions, "min_pool_size = 8");
        using var ending = new CancellationTokenSource();
        await using var source = Npgsql.NpgsqlDataSource.Create(
            $"{pooler.ConnectionString};No Reset On Close=true;Maximum Pool Size=8");
        var others = Enumerable.Range(0, 8).Select(_ => Task.Run(
            async () =>
            {
                while (!ending.IsCancellationRequested)
                {
                    await using var command = source.CreateCommand("SELECT pg_sleep(0.001)");
                    await command.ExecuteNonQueryAsync();
                }
            })).ToList();
        try
        {
            for (var i = 0; i < 10; i++)
            {
                var exception = await Assert.ThrowsAsync<IOException>(() => OpenAsync(pooler));
                Assert.True(
                    exception.Message.Contains("pool_mode = session", StringComparison.Ordinal), exception.ToString());
            }
        }
        finally
        {
            await ending.CancelAsync();
            await Task.WhenAll(others);
        }
    }

    [ConditionalFact]
    public async Task A_pooler_that_takes_no_session_settings_is_refused_with_what_to_set()
    {
        await using var pooler = await PgBouncer.StartAsync(fixture.Server.Port, "pool_mode = session");

        var exception = await Assert.ThrowsAsync<IOException>(() => OpenAsync(pooler));

        Assert.Contains("ignore_startup_parameters = options", exception.Message, StringComparison.Ordinal);
    }

    private Task<SegmentedLogStore> OpenAsync(PgBouncer pooler) =>
        PostgreSqlLogStore.OpenAsync(fixture.NewOptions(pooler), NullLogger.Instance, default);
}

/// <summary>The server behind the pooler is killed, with its end of all sessions.</summary>
[RequiresPgBouncer]
public sealed class PgBouncerKillTests : LogServerKillContract, IAsyncLifetime
{
    private PostgreSqlServer _server = null!;
    private PgBouncer _pooler = null!;
    private PostgreSqlLogOptions _options = null!;

    public async Task InitializeAsync()
    {
        _server = await PostgreSqlServer.StartAsync(PostgreSqlFixture.CarelessSettings);
        _pooler = await PgBouncer.StartAsync(_server.Port, "pool_mode = session", PgBouncerFixture.LeavesOutOptions);
        _options = PostgreSqlFixture.Options(_server, _pooler.Port);
        (_options.Lock, _options.SegmentBytes, _options.NewPartitions) = (false, 64 << 10, Partitions);
    }

    public async Task DisposeAsync()
    {
        if (_pooler is not null) await _pooler.DisposeAsync();
        if (_server is not null) await _server.DisposeAsync();
    }

    private protected override Task<SegmentedLogStore> OpenAsync() =>
        PostgreSqlLogStore.OpenAsync(_options, NullLogger.Instance, default);

    protected override Task KillAsync() => _server.KillAsync();

    protected override async Task StartAgainAsync()
    {
        await _server.StartAgainAsync();

        // The pooler has given the server up for a while.
        await using var source = Npgsql.NpgsqlDataSource.Create(_pooler.ConnectionString);
        while (true)
        {
            try
            {
                await using var connection = await source.OpenConnectionAsync();
                return;
            }
            catch (Npgsql.NpgsqlException)
            {
            }
        }
    }
}
