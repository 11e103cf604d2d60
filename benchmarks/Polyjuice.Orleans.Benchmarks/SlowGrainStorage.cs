using Orleans;
using Orleans.Runtime;
using Orleans.Storage;

namespace Polyjuice.Orleans.Benchmarks;

/// <summary>A storage provider with a latency in front.</summary>
internal sealed class SlowGrainStorage(IGrainStorage storage, StorageDelay delay) : IGrainStorage
{
    /// <inheritdoc/>
    public async Task ReadStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        await delay.WaitAsync();
        await storage.ReadStateAsync(stateName, grainId, grainState);
    }

    /// <inheritdoc/>
    public async Task WriteStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        await delay.WaitAsync();
        await storage.WriteStateAsync(stateName, grainId, grainState);
    }

    /// <inheritdoc/>
    public async Task ClearStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        await delay.WaitAsync();
        await storage.ClearStateAsync(stateName, grainId, grainState);
    }
}
