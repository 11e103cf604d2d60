using System.Globalization;

namespace Polyjuice.Tests.Shared;

/// <summary>
/// A PostgreSQL server of its own: in a temporary folder, on a free port of this machine, with everything as it comes,
/// so that what it answers is on the disk. It can be killed and started again, and have a standby.
/// </summary>
public sealed class PostgreSqlServer : IDatabaseServer
{
    private readonly DirectoryInfo _folder;
    private readonly string[] _settings;
    private bool _isStandby;
    private ServerProcess? _process;

    private PostgreSqlServer(DirectoryInfo folder, string[] settings)
    {
        _folder = folder;
        _settings = settings;
        Port = LoopbackPorts.Free(1)[0];
    }

    /// <summary>Where it listens, at 127.0.0.1.</summary>
    public int Port { get; }

    /// <inheritdoc/>
    public string ConnectionString => ConnectionStringOf(Port);

    /// <summary>How to get to a server at another port, as its administrator.</summary>
    public static string ConnectionStringOf(int port) =>
        $"Host=127.0.0.1;Port={port.ToString(CultureInfo.InvariantCulture)};Database=postgres;Username=postgres";

    /// <summary>Makes an empty database, and starts the server.</summary>
    /// <param name="settings">Settings, such as <c>max_connections=20</c>.</param>
    public static Task<PostgreSqlServer> StartAsync(params string[] settings) => StartAsync(
        settings,
        server => server.RunAsync(
            "initdb", "--pgdata", server.Data, "--username", "postgres", "--auth", "trust", "--encoding", "UTF8",
            "--locale", "C", "--no-sync", "--no-instructions"));

    /// <summary>Starts a standby of this server, with a copy of what it has and the same settings.</summary>
    public Task<PostgreSqlServer> StartStandbyAsync() => StartAsync(
        _settings,
        async standby =>
        {
            standby._isStandby = true;
            await standby.RunAsync(
                "pg_basebackup", "--pgdata", standby.Data, "--wal-method", "stream", "--checkpoint", "fast",
                "--no-sync",
                "--write-recovery-conf", "--dbname",
                $"host=127.0.0.1 port={Port.ToString(CultureInfo.InvariantCulture)} user=postgres");
        });

    /// <summary>Has a standby take over: it is a primary when this is done.</summary>
    public async Task PromoteAsync()
    {
        await RunAsync("pg_ctl", "promote", "--pgdata", Data, "--wait");
        _isStandby = false;
    }

    /// <inheritdoc/>
    public async Task KillAsync()
    {
        await _process!.KillAsync();
        _process = null;
    }

    /// <inheritdoc/>
    public async Task StartAgainAsync() => _process = await ServerProcess.StartAsync(
        UnprivilegedProgram.Of(
            _folder, Program("postgres"),
            ["-D", Data, "-p", Port.ToString(CultureInfo.InvariantCulture), "-c", "listen_addresses=127.0.0.1", "-c",
            "unix_socket_directories=", .. _settings.SelectMany(setting => new[] { "-c", setting })]),
        _isStandby
            ? "database system is ready to accept read-only connections"
            : "database system is ready to accept connections",
        "INT");

    /// <summary>Has it stand still: connections stay open, and nothing is answered.</summary>
    public Task PauseAsync() => _process!.SignalAllAsync("STOP");

    /// <summary>Has it go on.</summary>
    public Task ResumeAsync() => _process!.SignalAllAsync("CONT");

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (_process is not null) await _process.DisposeAsync();
        _process = null;
        _folder.Delete(recursive: true);
    }

    private string Data => Path.Combine(_folder.FullName, "data");

    private static async Task<PostgreSqlServer> StartAsync(string[] settings, Func<PostgreSqlServer, Task> makeAsync)
    {
        if (PostgreSqlInstallation.Missing is { } missing) throw new InvalidOperationException(missing);
        var server = new PostgreSqlServer(
            await UnprivilegedProgram.NewFolderAsync("polyjuice-postgresql-"), settings);
        try
        {
            await makeAsync(server);
            await server.StartAgainAsync();
            return server;
        }
        catch
        {
            await server.DisposeAsync();
            throw;
        }
    }

    private static string Program(string name) => Path.Combine(PostgreSqlInstallation.Folder!, name);

    private Task RunAsync(string program, params string[] arguments) =>
        ServerProcess.RunAsync(UnprivilegedProgram.Of(_folder, Program(program), arguments));
}
