using System.Diagnostics;
using System.Globalization;

namespace Polyjuice.Tests.Shared;

/// <summary>
/// A Redis server of its own: in a temporary folder, on a free port of this machine, set so that what it answers is on
/// the disk. It can be killed and started again.
/// </summary>
public sealed class RedisServer : IDatabaseServer
{
    private static readonly string[] _durable = ["appendonly yes", "appendfsync always", "save \"\""];
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("polyjuice-redis-");
    private readonly string[] _settings;
    private ServerProcess? _process;

    private RedisServer(string[] settings) => _settings = settings;

    /// <summary>Where it listens, at 127.0.0.1.</summary>
    public int Port { get; } = LoopbackPorts.Free(1)[0];

    /// <inheritdoc/>
    public string ConnectionString => $"127.0.0.1:{Port.ToString(CultureInfo.InvariantCulture)}";

    /// <summary>Starts one, with nothing in it.</summary>
    /// <param name="settings">Settings that differ, such as <c>appendonly no</c>.</param>
    public static async Task<RedisServer> StartAsync(params string[] settings)
    {
        if (RedisInstallation.Missing is { } missing) throw new InvalidOperationException(missing);
        var server = new RedisServer(settings);
        try
        {
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
    public async Task StartAgainAsync()
    {
        var file = Path.Combine(_folder.FullName, "redis.conf");
        await File.WriteAllLinesAsync(
            file, [.. _durable, .. _settings, $"port {Port.ToString(CultureInfo.InvariantCulture)}", "bind 127.0.0.1",
            $"dir {_folder.FullName}"]);
        _process = await ServerProcess.StartAsync(
            new ProcessStartInfo(RedisInstallation.Program!, [file]), "Ready to accept connections", "TERM");
    }

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
}
