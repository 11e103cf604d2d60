using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Storage;

namespace Polyjuice.Testing;

/// <summary>
/// The logs that all silos of a test cluster share. They belong to
/// the cluster, and not to the silo that stops first. Thread-safe.
/// </summary>
internal sealed class ClusterLogs : IAsyncDisposable
{
    private readonly IAsyncDisposable? _own;

    private ClusterLogs(ILogStore store, IAsyncDisposable? own)
    {
        Store = store;
        _own = own;
    }

    public ILogStore Store { get; }

    public static async Task<ClusterLogs> OpenAsync(PolyjuiceTestClusterOptions options)
    {
        if (options.Logs is { } given) return new(given, null);
        var partitions = options.Partitions == 0 ? options.Silos * options.EnginesPerSilo : options.Partitions;
        if (options.DataFolder is not { } folder)
            return new(new MemoryLogStore(partitions, takesCheckpoints: true), null);
        var files = await FileLogStore.OpenAsync(
            new FileLogOptions { Directory = folder, NewPartitions = partitions }, NullLogger.Instance,
            CancellationToken.None)
            .ConfigureAwait(false);
        if (options.Partitions == 0 || files.PartitionCount == options.Partitions) return new(files, files);
        await files.DisposeAsync().ConfigureAwait(false);
        throw new LogUnusableException(
            $"The logs in {folder} were created with {files.PartitionCount} partitions, which can't change, and not "
            + $"with {nameof(options.Partitions)} = {options.Partitions}. Leave it at 0, or take another folder.");
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _own?.DisposeAsync() ?? default;
}
