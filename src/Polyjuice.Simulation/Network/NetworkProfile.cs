using Polyjuice.Simulation.Clusters;

namespace Polyjuice.Simulation.Network;

/// <summary>How bad the network is. Times in microseconds, the rest are probabilities per message.</summary>
internal sealed record NetworkProfile
{
    /// <summary>The least that a message takes. Default 100 µs.</summary>
    public long DelayMin { get; init; } = 100;

    /// <summary>The most that one takes which does not stray; a range reorders. Default 400 µs.</summary>
    public long DelayMax { get; init; } = 400;

    /// <summary>Lost.</summary>
    public double Loss { get; init; }

    /// <summary>Delivered twice.</summary>
    public double Duplication { get; init; }

    /// <summary>Late by up to <see cref="StrayDelay"/> more.</summary>
    public double Stray { get; init; }

    /// <summary>How late a message may be that strays. Default 20 ms.</summary>
    public long StrayDelay { get; init; } = 20_000;
}
