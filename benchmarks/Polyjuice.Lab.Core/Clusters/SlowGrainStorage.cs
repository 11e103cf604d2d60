using Orleans;
using Orleans.Runtime;
using Orleans.Storage;

namespace Polyjuice.Lab.Clusters;

/// <summary>
/// A storage provider whose stores take longer, as Polyjuice's appends do. Loads don't: neither do those of logs.
/// </summary>
internal sealed class SlowGrainStorage(IGrainStorage storage, TimeSpan delay) : IGrainStorage
{
    /// <inheritdoc/>
    public Task ReadStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState) =>
        storage.ReadStateAsync(stateName, grainId, grainState);

    /// <inheritdoc/>
    public async Task WriteStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        await Task.Delay(delay);
        await storage.WriteStateAsync(stateName, grainId, grainState);
    }

    /// <inheritdoc/>
    public async Task ClearStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        await Task.Delay(delay);
        await storage.ClearStateAsync(stateName, grainId, grainState);
    }
}
