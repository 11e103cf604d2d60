using System.Diagnostics;
using System.Globalization;

namespace Polyjuice.Tests.Shared;

/// <summary>
/// A PostgreSQL server of its own: in a temporary folder, on a free port of this machine, with everything as it comes,
/// so that what it answers is on the disk. It can be killed and started again.
/// </summary>
public sealed class PostgreSqlServer : IDatabaseServer
{
    private static readonly string[] _accounts = ["postgres", "nobody"];
    private readonly DirectoryInfo _folder;
    private readonly string? _account;
    private readonly string[] _settings;
    private ServerProcess? _process;

    private PostgreSqlServer(DirectoryInfo folder, string? account, int port, string[] settings)
    {
        _folder = folder;
        _account = account;
        _settings = settings;
        Port = port;
    }

    /// <summary>Where it listens, at 127.0.0.1.</summary>
    public int Port { get; }

    /// <inheritdoc/>
    public string ConnectionString =>
        $"Host=127.0.0.1;Port={Port.ToString(CultureInfo.InvariantCulture)};Database=postgres;Username=postgres";

    /// <summary>Makes an empty database, and starts the server.</summary>
    /// <param name="settings">Settings, such as <c>max_connections=20</c>.</param>
    public static async Task<PostgreSqlServer> StartAsync(params string[] settings)
    {
        if (PostgreSqlInstallation.Missing is { } missing) throw new InvalidOperationException(missing);
        var folder = Directory.CreateTempSubdirectory("polyjuice-postgresql-");
        var account = Environment.IsPrivilegedProcess ? Account() : null;
        var server = new PostgreSqlServer(folder, account, LoopbackPorts.Free(1)[0], settings);
        try
        {
            if (account is not null) await ServerProcess.RunAsync(
                new ProcessStartInfo("chown", [account, folder.FullName]));
            await ServerProcess.RunAsync(
                server.Program(
                "initdb", "--pgdata", server.Data, "--username", "postgres", "--auth", "trust", "--encoding", "UTF8",
                "--locale", "C", "--no-sync", "--no-instructions"));
            await server.StartAgainAsync();
            return server;
        }
        catch
        {
            await server.DisposeAsync();
            throw;
        }
    }

    /// <inheritdoc/>
    public async Task KillAsync()
    {
        await _process!.KillAsync();
        _process = null;
    }

    /// <inheritdoc/>
    public async Task StartAgainAsync() => _process = await ServerProcess.StartAsync(
        Program("postgres",
            ["-D", Data, "-p", Port.ToString(CultureInfo.InvariantCulture), "-c", "listen_addresses=127.0.0.1", "-c",
            "unix_socket_directories=", .. _settings.SelectMany(setting => new[] { "-c", setting })]),
        "database system is ready to accept connections", "INT");

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

    // It does not run as root.
    private static string Account()
    {
        var known = File.ReadLines("/etc/passwd").Select(line => line.Split(':')[0]).ToHashSet();
        return _accounts.First(known.Contains);
    }

    private ProcessStartInfo Program(string name, params string[] arguments)
    {
        var program = Path.Combine(PostgreSqlInstallation.Folder!, name);
        var start = _account is null ? new ProcessStartInfo(program, arguments)
            : new ProcessStartInfo(
            "setpriv", ["--reuid", _account, "--regid", Group(), "--clear-groups", program, .. arguments]);
        start.WorkingDirectory = _folder.FullName;
        start.Environment["LC_ALL"] = "C";

        // Of whoever runs the tests; it would go to other places.
        foreach (
            var variable in start.Environment.Keys.Where(
            key => key.StartsWith("PG", StringComparison.Ordinal)).ToList()) start.Environment.Remove(variable);
        return start;
    }

    // The account's own, by its number: its name may be another one.
    private string Group() =>
        File.ReadLines("/etc/passwd").Select(line => line.Split(':')).First(entry => entry[0] == _account)[3];
}
