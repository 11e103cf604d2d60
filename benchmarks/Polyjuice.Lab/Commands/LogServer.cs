using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;
using Polyjuice.Lab.Clusters;
using Polyjuice.Storage.PostgreSql;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary>
/// A server of this command's own that keeps logs, with everything as it comes; it ends with the command.
/// </summary>
internal sealed class LogServer : IAsyncDisposable
{
    private const string PostgreSql = "postgresql";
    private readonly IAsyncDisposable _process;

    private LogServer(IAsyncDisposable process, BenchmarkLogs logs)
    {
        _process = process;
        Logs = logs;
    }

    /// <summary>What can be started.</summary>
    public static IReadOnlyList<string> Names { get; } = [PostgreSql];

    /// <summary>New logs for each cluster.</summary>
    public BenchmarkLogs Logs { get; }

    /// <summary>Starts one; <see langword="null"/> if that is no server's name.</summary>
    /// <exception cref="CommandInputException">It is not on this machine; the message says what to install.</exception>
    public static async Task<LogServer?> StartAsync(string name)
    {
        if (name != PostgreSql) return null;
        if (PostgreSqlInstallation.Missing is { } missing) throw new CommandInputException(missing);
        var server = await PostgreSqlServer.StartAsync();
        var count = 0;
        return new LogServer(server, new BenchmarkLogs(PostgreSql, partitions => PostgreSqlLogStore.OpenAsync(
            new PostgreSqlLogOptions { ConnectionString = server.ConnectionString,
                Schema = $"bench_{Interlocked.Increment(ref count)}", Partitions = partitions },
            NullLogger.Instance, CancellationToken.None)));
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _process.DisposeAsync();
}
