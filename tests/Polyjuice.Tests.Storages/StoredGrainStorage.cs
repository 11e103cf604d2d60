using Orleans;
using Orleans.Runtime;
using Orleans.Storage;

namespace Polyjuice.Tests.Storages;

/// <summary>Plain grain storage over <see cref="StoredRows"/>, in the silo's own storage format.</summary>
public sealed class StoredGrainStorage(StoredRows rows, IGrainStorageSerializer serializer) : IGrainStorage
{
    public static string Key(string stateName, GrainId grainId) => $"{grainId}/{stateName}";

    public async Task ReadStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        var key = Key(stateName, grainId);
        await rows.At(StorageMoment.BeforeRead, key);
        var (etag, content) = rows.Read(key);
        grainState.ETag = etag;
        grainState.RecordExists = content is not null;
        grainState.State = content is null
            ? Activator.CreateInstance<T>()
            : serializer.Deserialize<T>((BinaryData)content);
    }

    public async Task WriteStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        var key = Key(stateName, grainId);
        var content = serializer.Serialize(grainState.State);
        await rows.At(StorageMoment.BeforeWrite, key);
        var etag = rows.Write(key, grainState.ETag, content);
        await rows.At(StorageMoment.AfterWrite, key);
        grainState.ETag = etag;
        grainState.RecordExists = true;
    }

    public async Task ClearStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        var key = Key(stateName, grainId);
        await rows.At(StorageMoment.BeforeWrite, key);
        rows.Remove(key);
        grainState.ETag = null;
        grainState.RecordExists = false;
        grainState.State = Activator.CreateInstance<T>();
    }
}
