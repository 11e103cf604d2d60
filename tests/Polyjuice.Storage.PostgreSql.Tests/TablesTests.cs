using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Npgsql;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql.Tests;

/// <summary>
/// Tables are made once, whoever is first; and those that are not Polyjuice's, or newer, or gone, are refused with
/// what to do.
/// </summary>
[RequiresPostgreSql]
[Collection(PostgreSqlFixture.Name)]
public sealed class TablesTests(PostgreSqlFixture postgres)
{
    private readonly PostgreSqlLogOptions _options = postgres.NewOptions();

    [ConditionalFact]
    public async Task Of_many_that_start_at_once_all_find_the_same_tables()
    {
        _options.Lock = false;
        var stores = await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Task.Run(OpenAsync)));
        Assert.Single(stores.Select(store => store.Identity).Distinct());
        Assert.Equal(1, await RunAsync("SELECT version FROM {0}.polyjuice_format"));
        for (var i = 0; i < stores.Length; i++) Assert.Equal(
            AppendResult.Appended, await stores[i].Open(i).Append(0, i, 1));
        foreach (var store in stores) await store.DisposeAsync();
    }

    [ConditionalFact]
    public async Task Tables_of_a_newer_version_are_refused_and_left_alone()
    {
        await (await OpenAsync()).DisposeAsync();
        await RunAsync("UPDATE {0}.polyjuice_format SET version = 9");
        Check(await Assert.ThrowsAsync<LogVersionException>(OpenAsync), "version 9", _options.Schema,
            "Use the version that wrote it");
        await RunAsync("DELETE FROM {0}.polyjuice_format");
        Check(await Assert.ThrowsAsync<LogUnusableException>(OpenAsync), "no row", _options.Schema);
        Assert.Equal(0L, await RunAsync("SELECT count(*) FROM {0}.polyjuice_format"));
    }

    [ConditionalFact]
    public async Task A_table_of_somebody_else_is_refused_and_left_alone()
    {
        await RunAsync("CREATE SCHEMA {0}; CREATE TABLE {0}.polyjuice_names (theirs int)");
        Check(await Assert.ThrowsAsync<LogUnusableException>(OpenAsync), "polyjuice_names", "Use another Schema");
        Assert.Equal(
            "theirs",
            await RunAsync(
            "SELECT string_agg(column_name, ',') FROM information_schema.columns WHERE table_schema = '{0}'"));
    }

    [ConditionalFact]
    public async Task Without_leave_to_create_them_missing_tables_are_named()
    {
        _options.CreateSchema = false;
        Check(await Assert.ThrowsAsync<IOException>(OpenAsync), "CreateSchema", _options.Schema);
        Assert.Equal(false, await RunAsync("SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = '{0}')"));
    }

    [ConditionalFact]
    public async Task Tables_that_were_dropped_are_not_taken_for_empty_ones()
    {
        await using var store = await OpenAsync();
        await store.Open(0).Fill(1);
        await RunAsync("DROP TABLE {0}.polyjuice_pieces");
        Check(await Assert.ThrowsAsync<IOException>(() => store.Open(0).Append(1, 1, 1)), "restore them",
            _options.Schema);
        await RunAsync("DROP SCHEMA {0} CASCADE");
        Check(await Assert.ThrowsAsync<IOException>(() => store.Open(0).Append(1, 1, 1)), "restore them",
            _options.Schema);
    }

    [ConditionalFact]
    public async Task A_user_needs_the_rights_that_the_documentation_names_and_one_without_is_told()
    {
        await (await OpenAsync()).DisposeAsync();
        var user = $"user_{Guid.NewGuid():N}";
        await RunAsync($"CREATE ROLE {user} LOGIN");
        _options.ConnectionString = As(user);
        _options.KeyPrefix = "other";
        Check(await Assert.ThrowsAsync<UnauthorizedAccessException>(OpenAsync), "USAGE on schema", _options.Schema);
        await RunAsync($"GRANT USAGE ON SCHEMA {{0}} TO {user}; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES "
            + $"IN SCHEMA {{0}} TO {user}; GRANT USAGE ON ALL SEQUENCES IN SCHEMA {{0}} TO {user}");
        await using var store = await OpenAsync();
        await store.Open(0).Fill(3);
        await store.Open(0).WriteCheckpointAsync(3, LogCalls.Pieces([1]), default);
        await store.Open(0).TrimAsync(default);
    }

    [ConditionalFact]
    public async Task A_server_that_refuses_somebody_or_has_no_such_database_is_quoted()
    {
        _options.ConnectionString = As("nobody_of_that_name");
        Check(await Assert.ThrowsAsync<UnauthorizedAccessException>(OpenAsync), "28000", "Username");
        _options.ConnectionString = new NpgsqlConnectionStringBuilder(
            postgres.Server.ConnectionString) { Database = "missing" }.ConnectionString;
        Check(await Assert.ThrowsAsync<IOException>(OpenAsync), "3D000", "Create it");
        _options.ConnectionString = new NpgsqlConnectionStringBuilder(
            postgres.Server.ConnectionString) { Port = LoopbackPorts.Free(1)[0],
            Password = "topsecret" }.ConnectionString;
        var unreachable = await Assert.ThrowsAsync<IOException>(OpenAsync);
        Check(unreachable, "can't be reached", "firewall");
        Assert.DoesNotContain("topsecret", unreachable.ToString(), StringComparison.Ordinal);
    }

    [ConditionalFact]
    public async Task A_server_that_takes_no_writes_is_said_to_be_one()
    {
        await (await OpenAsync()).DisposeAsync();
        _options.ConnectionString += ";Options=-c default_transaction_read_only=on";
        Check(await Assert.ThrowsAsync<IOException>(OpenAsync), "takes no writes", "primary");
    }

    [ConditionalFact]
    public async Task A_user_whose_transactions_are_serializable_by_default_appends_as_others_do()
    {
        _options.ConnectionString += ";Options=-c default_transaction_isolation=serializable";
        _options.Lock = false;
        await using var one = await OpenAsync();
        await using var other = await OpenAsync();
        for (var position = 0; position < 20; position++)
        {
            var results = await Task.WhenAll(
                one.Open(0).Append(position, position, 1), other.Open(0).Append(position, 1_000 + position, 2));
            Assert.Single(results, AppendResult.Appended);
            Assert.Single(results, AppendResult.Conflict);
        }
    }

    [ConditionalFact]
    public async Task A_server_that_would_lose_what_it_answered_is_warned_of()
    {
        await using var server = await PostgreSqlServer.StartAsync("fsync=off");
        var (careless, said) = (PostgreSqlFixture.Options(server), new List<string>());
        await (await PostgreSqlLogStore.OpenAsync(careless, new Listener(said), default)).DisposeAsync();
        Assert.Contains(
            said, line => line.Contains("fsync", StringComparison.Ordinal)
            && line.StartsWith("Warning", StringComparison.Ordinal));
        said.Clear();
        await (await PostgreSqlLogStore.OpenAsync(_options, new Listener(said), default)).DisposeAsync();
        Assert.DoesNotContain(said, line => line.Contains("fsync", StringComparison.Ordinal));
    }

    private static void Check(Exception exception, params string[] parts) =>
        Assert.All(parts, part => Assert.Contains(part, exception.Message, StringComparison.Ordinal));

    private string As(string user) =>
        new NpgsqlConnectionStringBuilder(postgres.Server.ConnectionString) { Username = user }.ConnectionString;

    private Task<SegmentedLogStore> OpenAsync() => PostgreSqlLogStore.OpenAsync(_options, NullLogger.Instance, default);

    private Task<object?> RunAsync(string sql) =>
        postgres.RunAsync(string.Format(System.Globalization.CultureInfo.InvariantCulture, sql, _options.Schema));

    private sealed class Listener(List<string> said) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?,
            string> formatter) => said.Add($"{logLevel} {formatter(state, exception)}");
    }
}
