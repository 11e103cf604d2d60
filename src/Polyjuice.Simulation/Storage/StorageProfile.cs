using Polyjuice.Simulation.Clusters;

namespace Polyjuice.Simulation.Storage;

/// <summary>How bad the storage is. Times in microseconds, the rest are probabilities per operation.</summary>
internal sealed record StorageProfile
{
    /// <summary>The least that an operation takes. Default 200 µs.</summary>
    public long DelayMin { get; init; } = 200;

    /// <summary>The most that one takes which is not slow. Default 800 µs.</summary>
    public long DelayMax { get; init; } = 800;

    /// <summary>An append is reported as failed, and nothing was written.</summary>
    public double ErrorBefore { get; init; }

    /// <summary>An append is reported as failed, and was written.</summary>
    public double ErrorAfter { get; init; }

    /// <summary>An append is reported as failed, and turns up later if its position is still free.</summary>
    public double LateWrite { get; init; }

    /// <summary>A read of a log, or of its end, fails.</summary>
    public double ReadError { get; init; }

    /// <summary>Late by up to <see cref="SlowDelay"/> more.</summary>
    public double Slow { get; init; }

    /// <summary>How late a slow operation may be. Default 30 ms.</summary>
    public long SlowDelay { get; init; } = 30_000;
}
