using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql.Tests;

/// <summary>One server for all classes that ask for it, and before it a PgBouncer in session mode.</summary>
[CollectionDefinition(Name)]
public sealed class PgBouncerFixture : IAsyncLifetime, ICollectionFixture<PgBouncerFixture>
{
    public const string Name = "PgBouncer";

    /// <summary>Without this it takes no client that asks for settings of its session.</summary>
    public const string LeavesOutOptions = "ignore_startup_parameters = options";

    private PostgreSqlServer? _server;
    private PgBouncer? _pooler;

    public PostgreSqlServer Server => _server
        ?? throw new InvalidOperationException(PostgreSqlInstallation.Missing ?? "The server was not started.");

    public PgBouncer Pooler => _pooler
        ?? throw new InvalidOperationException(PgBouncerInstallation.Missing ?? "PgBouncer was not started.");

    public async Task InitializeAsync()
    {
        // Then its tests are skipped; or they fail, each with the reason.
        if (PostgreSqlInstallation.Missing is not null || PgBouncerInstallation.Missing is not null) return;
        _server = await PostgreSqlServer.StartAsync([.. PostgreSqlFixture.CarelessSettings, "max_connections=300"]);
        _pooler = await PgBouncer.StartAsync(_server.Port, "pool_mode = session", LeavesOutOptions);
    }

    public async Task DisposeAsync()
    {
        if (_pooler is not null) await _pooler.DisposeAsync();
        if (_server is not null) await _server.DisposeAsync();
    }

    /// <summary>Options for a schema that nobody has, through a pooler.</summary>
    internal PostgreSqlLogOptions NewOptions(PgBouncer? pooler = null) =>
        PostgreSqlFixture.Options(Server, (pooler ?? Pooler).Port);
}
