using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.Runtime.Hosting;
using Orleans.Storage;

namespace Polyjuice.Orleans.Benchmarks;

/// <summary>How slow storage is: not at all while accounts are opened, and then the same for the provider of both engines and for Polyjuice's log. One for each cluster.</summary>
internal sealed class StorageDelay(int milliseconds, string format)
{
    private const string Inner = "memory";

    private volatile bool _hasBegun;
    private long _calls;

    /// <summary>Calls of slow storage, as long as it was slow: loads, stores and appends.</summary>
    public long Calls => Volatile.Read(ref _calls);

    /// <summary>From now on storage is slow.</summary>
    public void Begin() => _hasBegun = true;

    /// <summary>Takes as long as a call of a slow storage does.</summary>
    public Task WaitAsync(CancellationToken cancellationToken = default)
    {
        if (!_hasBegun || milliseconds == 0) return Task.CompletedTask;
        Interlocked.Increment(ref _calls);
        return Task.Delay(milliseconds, cancellationToken);
    }

    /// <summary>Adds Orleans' own grain storage in memory, which is slow if it is to be.</summary>
    public void AddGrainStorage(ISiloBuilder silo)
    {
        if (format == BenchmarkCase.Binary) silo.Services.AddSingleton<IGrainStorageSerializer, OrleansGrainStorageSerializer>();
        if (milliseconds == 0) silo.AddMemoryGrainStorageAsDefault();
        else silo.AddMemoryGrainStorage(Inner).Services.AddGrainStorage("Default", (services, _) => new SlowGrainStorage(services.GetRequiredKeyedService<IGrainStorage>(Inner), this));
    }
}
