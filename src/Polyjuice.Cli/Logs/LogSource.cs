using System.ComponentModel.DataAnnotations;
using Polyjuice.Storage;
using Polyjuice.Storage.AzureBlobs;
using Polyjuice.Storage.PostgreSql;
using Polyjuice.Storage.Redis;

namespace Polyjuice.Cli.Logs;

/// <summary>Logs to look at, wherever they are.</summary>
internal sealed class LogSource : IAsyncDisposable
{
    private readonly CountingDevice _device;
    private readonly ReadingProgress _progress;

    private LogSource(CountingDevice device, LogInspector inspector, ReadingProgress progress)
    {
        _device = device;
        _progress = progress;
        Inspector = inspector;
    }

    public LogInspector Inspector { get; }

    /// <summary>Opens them.</summary>
    /// <param name="data">A folder, or the address of a container or of a database.</param>
    /// <param name="progress">Where to say how far reading has got.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public static async Task<LogSource> OpenAsync(string data, TextWriter progress, CancellationToken cancellationToken)
    {
        var said = new ReadingProgress(progress, TimeProvider.System);
        var device = new CountingDevice(await DeviceAsync(data, cancellationToken), said.Add);
        return new LogSource(device, await LogInspector.OpenAsync(device, cancellationToken), said);
    }

    /// <summary>The partitions that were asked for, and how much there is to read of them.</summary>
    public async Task<IReadOnlyList<int>> PartitionsAsync(int? partition, CancellationToken cancellationToken)
    {
        var partitions = Commands.LogCommand.Partitions(partition, Inspector.PartitionCount).ToList();
        foreach (var entry in await _device.ListAsync("p", cancellationToken))
        {
            if (partitions.Exists(one => entry.Name.StartsWith(LogIdentity.Folder(one), StringComparison.Ordinal)))
                _progress.Total += entry.Length;
        }

        return partitions;
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _device.DisposeAsync();

    private static async Task<ILogDevice> DeviceAsync(string data, CancellationToken cancellationToken)
    {
        try
        {
            if (PostgreSqlLocation.IsOne(data))
                return await PostgreSqlLogStore.OpenToLookAsync(PostgreSqlLocation.Parse(data), cancellationToken);
            if (RedisLocation.IsOne(data))
                return await RedisLogStore.OpenToLookAsync(
                    RedisLocation.Parse(data, Environment.GetEnvironmentVariable), cancellationToken);
            if (!AzureLocation.IsOne(data)) return new FileLogDevice(data, flush: false, isReadOnly: true);
            return await AzureBlobLogStore.OpenToLookAsync(
                AzureLocation.Parse(data, Environment.GetEnvironmentVariable), cancellationToken);
        }
        catch (ValidationException exception)
        {
            throw new ArgumentException($"--data: {exception.Message}");
        }
    }
}
