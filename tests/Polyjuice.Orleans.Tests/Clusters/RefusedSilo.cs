using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.TestingHost;

namespace Polyjuice.Orleans.Tests.Clusters;

/// <summary>
/// Starts a silo that must not come up, and ends it. Orleans' host does not end a silo whose start has failed: it stays
/// in the membership table as joining, and a silo that stops in good order waits 30 seconds for it; and its grain
/// directory asks for members for ever, a million times in a second.
/// </summary>
internal sealed class RefusedSilo : ILifecycleParticipant<ISiloLifecycle>
{
    private volatile ILifecycleObserver? _last;

    /// <summary>To be called for each silo of the cluster.</summary>
    public ISiloBuilder Watch(ISiloBuilder silo)
    {
        silo.Services.AddSingleton<ILifecycleParticipant<ISiloLifecycle>>(this);
        return silo;
    }

    /// <inheritdoc/>
    public void Participate(ISiloLifecycle lifecycle) => _last = (ILifecycleObserver)lifecycle;

    /// <summary>Starts one more silo, and ends it if it does not come up.</summary>
    /// <returns>Why it did not.</returns>
    public async Task<Exception?> StartAsync(InProcessTestCluster cluster)
    {
        var refusal = await Record.ExceptionAsync(cluster.StartAdditionalSiloAsync);
        if (refusal is not null) await _last!.OnStop(new CancellationToken(canceled: true));
        return refusal;
    }
}
