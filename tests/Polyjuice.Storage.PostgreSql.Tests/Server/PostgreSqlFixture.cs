using Npgsql;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql.Tests;

/// <summary>One server for all classes that ask for it, which take a schema each time.</summary>
[CollectionDefinition(Name)]
public sealed class PostgreSqlFixture : IAsyncLifetime, ICollectionFixture<PostgreSqlFixture>
{
    public const string Name = "PostgreSQL";

    /// <summary>Of a server that answers before anything is on its disk, unless a transaction asks for more.</summary>
    public static readonly string[] CarelessSettings = ["synchronous_commit=off", "wal_writer_delay=10s"];

    private PostgreSqlServer? _server;
    private NpgsqlDataSource? _admin;

    public PostgreSqlServer Server =>
        _server ?? throw new InvalidOperationException(PostgreSqlInstallation.Missing ?? "The server was not started.");

    /// <summary>The server's administrator.</summary>
    public NpgsqlDataSource Admin => _admin ??= NpgsqlDataSource.Create(Server.ConnectionString);

    public async Task InitializeAsync()
    {
        // Then its tests are skipped; or they fail, each with the reason.
        if (PostgreSqlInstallation.Missing is null) _server = await PostgreSqlServer.StartAsync(
            [.. CarelessSettings, "max_connections=300"]);
    }

    public async Task DisposeAsync()
    {
        if (_admin is not null) await _admin.DisposeAsync();
        if (_server is not null) await _server.DisposeAsync();
    }

    /// <summary>Options for a schema that nobody has.</summary>
    internal PostgreSqlLogOptions NewOptions(int? port = null) => Options(Server, port);

    /// <summary>Runs a statement as the administrator.</summary>
    internal async Task<object?> RunAsync(string sql)
    {
        await using var command = Admin.CreateCommand(sql);
        return await command.ExecuteScalarAsync();
    }

    /// <summary>Until so many statements of devices wait for a lock that the test has.</summary>
    internal async Task WhenWaitingForLockAsync(long statements = 1)
    {
        using var patience = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        while (await RunAsync(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'Polyjuice' AND "
            + "wait_event_type = 'Lock'") is not long waiting || waiting < statements)
            await Task.Delay(10, patience.Token);
    }

    internal static PostgreSqlLogOptions Options(PostgreSqlServer server, int? port = null) => new()
    {
        ConnectionString = port is { } other
            ? new NpgsqlConnectionStringBuilder(server.ConnectionString) { Port = other }.ConnectionString
            : server.ConnectionString,
        Schema = $"test_{Guid.NewGuid():N}",
        LockWait = TimeSpan.Zero,
    };
}
