using Polyjuice.Contracts;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Events;

/// <summary>
/// One incarnation of one silo, as network and storage see it:
/// something that lives until it crashes, and acts in turns of its own.
/// </summary>
internal interface ISimulatedProcess
{
    /// <summary>The incarnation.</summary>
    NodeId Id { get; }

    /// <summary>Whether it has not crashed yet.</summary>
    bool IsAlive { get; }

    /// <summary>Whether it hears what storage answers; else it hears of a failure, whatever was done.</summary>
    bool HearsStorage => true;

    /// <summary>Queues something that happens on this process's turn, if it lives to see it.</summary>
    /// <param name="delay">In microseconds; at least 0. A slow process takes longer.</param>
    /// <param name="kind">What it is about.</param>
    /// <param name="run">What happens.</param>
    void Queue(long delay, EventKind kind, Action run);
}
