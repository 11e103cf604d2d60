using System.Collections.Concurrent;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Conformance.Storage;

/// <summary>A grain in whose name the storage runners store.</summary>
public interface IStorageGrain : IGrainWithGuidKey
{
    Task Show();
}

public sealed class StorageGrain : Grain, IStorageGrain
{
    /// <summary>Activations of silos in this process that have been shown.</summary>
    public static ConcurrentDictionary<Guid, IGrainContext> Shown { get; } = new();

    public Task Show()
    {
        Shown[this.GetPrimaryKey()] = GrainContext;
        return Task.CompletedTask;
    }
}
