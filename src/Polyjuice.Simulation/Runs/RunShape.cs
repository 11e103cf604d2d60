using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Workloads;

namespace Polyjuice.Simulation.Runs;

/// <summary>A whole random run: a cluster, a load, and what goes wrong meanwhile. Times in microseconds.</summary>
internal sealed record RunShape
{
    public required ClusterShape Cluster { get; init; }

    public FaultProfile Faults { get; init; } = FaultProfile.None;

    public LoadShape Load { get; init; } = new();

    public int Transactions { get; init; } = 12;

    /// <summary>
    /// Clients, each of which starts its next transaction when it
    /// knows how its last one ended; 0 for arrivals at any time.
    /// </summary>
    public int Clients { get; init; }

    /// <summary>How long a client pauses between transactions, at the most.</summary>
    public long PauseMax { get; init; } = 500;

    /// <summary>Without clients: over which time transactions arrive.</summary>
    public long ArrivalWindow { get; init; } = 20_000;

    /// <summary>With clients: faults stop after this, if transactions still run.</summary>
    public long FaultyMax { get; init; } = 3_000_000;

    /// <summary>Faults at steps of the protocol.</summary>
    public IReadOnlyList<Aim> Aims { get; init; } = [];

    public RunStreams Streams { get; init; }

    /// <summary>Whether the run sees which states of the protocol it reaches.</summary>
    public bool Probes { get; init; }

    /// <summary>Whether tables are swapped while transactions run.</summary>
    public bool Swaps { get; init; }
}
