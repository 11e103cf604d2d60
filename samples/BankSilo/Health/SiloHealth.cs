using Microsoft.Extensions.Hosting;
using Polyjuice.Orleans;

namespace BankSilo.Health;

/// <summary>What the health endpoints say. Thread-safe; calls no grain.</summary>
internal sealed class SiloHealth(IPolyjuiceSilo silo, IHostApplicationLifetime lifetime)
{
    /// <summary>Whether the silo can be given work: it has joined the cluster, serves its partitions, and has not been told to stop.</summary>
    public HealthAnswer Ready()
    {
        // Hosted services that come after the silo must have started, too.
        var readiness = silo.Readiness;
        if (lifetime.ApplicationStopping.IsCancellationRequested) return new(false, "draining");
        if (!readiness.IsReady) return new(false, readiness.ToString());
        if (!lifetime.ApplicationStarted.IsCancellationRequested) return new(false, "starting");
        return new(true, readiness.ToString());
    }

    /// <summary>Whether its start has ended, which includes that it joined and took its partitions over. What comes after that is for readiness and liveness to judge.</summary>
    public HealthAnswer Started() => lifetime.ApplicationStarted.IsCancellationRequested ? new(true, "started") : new(false, $"starting: {silo.Readiness}");

    /// <summary>Whether a restart would not help. A lost membership or an unreachable store is no reason for one: other silos have the same trouble, and Orleans ends a silo that was declared dead itself.</summary>
    public HealthAnswer Live() => silo.HasFailed ? new(false, "the transaction engine has stopped, because an invariant is broken") : new(true, "alive");
}

/// <summary>One answer.</summary>
/// <param name="IsGood">200, or 503.</param>
/// <param name="Text">For people.</param>
internal sealed record HealthAnswer(bool IsGood, string Text);
