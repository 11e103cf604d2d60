using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;
using Polyjuice.Lab.Clusters;
using Polyjuice.Storage.PostgreSql;
using Polyjuice.Storage.Redis;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary>
/// A server of this command's own that keeps logs, with everything as it comes; it ends with the command.
/// </summary>
internal sealed class LogServer : IAsyncDisposable
{
    private const string PostgreSql = "postgresql";
    private const string Redis = "redis";
    private readonly IAsyncDisposable _process;

    private LogServer(IAsyncDisposable process, BenchmarkLogs logs)
    {
        _process = process;
        Logs = logs;
    }

    /// <summary>What can be started.</summary>
    public static IReadOnlyList<string> Names { get; } = [PostgreSql, Redis];

    /// <summary>New logs for each cluster.</summary>
    public BenchmarkLogs Logs { get; }

    /// <summary>Starts one; <see langword="null"/> if that is no server's name.</summary>
    /// <exception cref="CommandInputException">It is not on this machine; the message says what to install.</exception>
    public static async Task<LogServer?> StartAsync(string name)
    {
        var count = 0;
        switch (name)
        {
            case PostgreSql:
                if (PostgreSqlInstallation.Missing is { } noPostgreSql) throw new CommandInputException(noPostgreSql);
                var database = await PostgreSqlServer.StartAsync();
                return new LogServer(database, new BenchmarkLogs(name, partitions => PostgreSqlLogStore.OpenAsync(
                    new PostgreSqlLogOptions
                    {
                        ConnectionString = database.ConnectionString,
                        Schema = $"bench_{Interlocked.Increment(ref count)}",
                        Partitions = partitions,
                    },
                    NullLogger.Instance, CancellationToken.None)));
            case Redis:
                if (RedisInstallation.Missing is { } noRedis) throw new CommandInputException(noRedis);
                var redis = await RedisServer.StartAsync();
                return new LogServer(redis, new BenchmarkLogs(name, partitions => RedisLogStore.OpenAsync(
                    new RedisLogOptions
                    {
                        ConnectionString = redis.ConnectionString,
                        KeyPrefix = $"bench-{Interlocked.Increment(ref count)}",
                        Partitions = partitions,
                    },
                    NullLogger.Instance, CancellationToken.None)));
            default:
                return null;
        }
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _process.DisposeAsync();
}
