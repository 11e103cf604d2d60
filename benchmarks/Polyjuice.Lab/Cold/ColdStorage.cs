using System.Collections.Concurrent;
using System.Globalization;
using Orleans;
using Orleans.Runtime;
using Orleans.Storage;

namespace Polyjuice.Lab.Tool.Cold;

/// <summary>
/// A storage provider in this process's memory, in the silo's own format, whose calls take at least so long. It counts
/// them, and how many are under way. Thread-safe.
/// </summary>
internal sealed class ColdStorage(
    IGrainStorageSerializer serializer, TimeSpan delay, StorageCounts counts) : IGrainStorage
{
    private readonly ConcurrentDictionary<(
        string State, GrainId Grain), (string ETag, BinaryData Content)> _rows = new();
    private long _lastETag;

    /// <inheritdoc/>
    public async Task ReadStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        using (counts.BeginLoad()) await PauseAsync();
        grainState.RecordExists = _rows.TryGetValue((stateName, grainId), out var row);
        grainState.ETag = row.ETag;
        grainState.State = grainState.RecordExists
            ? serializer.Deserialize<T>(row.Content)
            : Activator.CreateInstance<T>();
    }

    /// <inheritdoc/>
    public async Task WriteStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        var content = serializer.Serialize(grainState.State);
        counts.Stored(content.ToMemory().Length);
        await PauseAsync();
        var etag = Interlocked.Increment(ref _lastETag).ToString(CultureInfo.InvariantCulture);
        var isThere = _rows.TryGetValue((stateName, grainId), out var row);
        if (row.ETag != grainState.ETag
            || !(isThere
                ? _rows.TryUpdate((stateName, grainId), (etag, content), row)
                : _rows.TryAdd((stateName, grainId), (etag, content))))
            throw new InconsistentStateException(
                $"{grainId}/{stateName} is at {row.ETag ?? "none"}.", row.ETag ?? "", grainState.ETag ?? "");
        grainState.ETag = etag;
        grainState.RecordExists = true;
    }

    /// <inheritdoc/>
    public Task ClearStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        _rows.TryRemove((stateName, grainId), out _);
        grainState.ETag = null;
        grainState.RecordExists = false;
        return Task.CompletedTask;
    }

    private Task PauseAsync() => delay > TimeSpan.Zero ? Task.Delay(delay) : Task.CompletedTask;
}
