using System.Globalization;

namespace Polyjuice.Tests.Shared;

/// <summary>A PgBouncer of its own before a server of this machine, on a free port.</summary>
public sealed class PgBouncer : IAsyncDisposable
{
    private readonly DirectoryInfo _folder;
    private readonly ServerProcess _process;

    private PgBouncer(DirectoryInfo folder, ServerProcess process, int port)
    {
        _folder = folder;
        _process = process;
        Port = port;
    }

    /// <summary>Where it listens, at 127.0.0.1.</summary>
    public int Port { get; }

    /// <summary>How to get to the server through it.</summary>
    public string ConnectionString => PostgreSqlServer.ConnectionStringOf(Port);

    /// <summary>Starts one.</summary>
    /// <param name="server">The server's port.</param>
    /// <param name="settings">Settings, such as <c>pool_mode=session</c>.</param>
    public static async Task<PgBouncer> StartAsync(int server, params string[] settings)
    {
        if (PgBouncerInstallation.Missing is { } missing) throw new InvalidOperationException(missing);
        var folder = await UnprivilegedProgram.NewFolderAsync("polyjuice-pgbouncer-");
        try
        {
            var port = LoopbackPorts.Free(1)[0];
            var file = Path.Combine(folder.FullName, "pgbouncer.ini");
            await File.WriteAllTextAsync(
                file,
                $"""
                [databases]
                * = host=127.0.0.1 port={server.ToString(CultureInfo.InvariantCulture)} user=postgres
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = {port.ToString(CultureInfo.InvariantCulture)}
                unix_socket_dir =
                auth_type = any
                server_login_retry = 1
                default_pool_size = 100
                {string.Join('\n', settings)}

                """);
            var process = await ServerProcess.StartAsync(
                UnprivilegedProgram.Of(folder, PgBouncerInstallation.Program!, file), "process up", "INT");
            return new PgBouncer(folder, process, port);
        }
        catch
        {
            folder.Delete(recursive: true);
            throw;
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _process.DisposeAsync();
        _folder.Delete(recursive: true);
    }
}
