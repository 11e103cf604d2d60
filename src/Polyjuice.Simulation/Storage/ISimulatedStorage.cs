using Polyjuice.Simulation.Events;
using Polyjuice.Storage;

namespace Polyjuice.Simulation.Storage;

/// <summary>
/// The storage beneath a simulated cluster: it outlives every process, and goes wrong until it is told not to.
/// </summary>
internal interface ISimulatedStorage
{
    /// <summary>
    /// The logs as one process reaches them: what it asks for takes
    /// virtual time, and is answered on its turn if it lives.
    /// </summary>
    ILogStore For(ISimulatedProcess process);

    /// <summary>
    /// A process has crashed: what it had asked for, and what was not yet durable, may be there or not.
    /// </summary>
    void Crashed(ISimulatedProcess process);

    /// <summary>From now on nothing goes wrong any more.</summary>
    void StopFaults();

    /// <summary>The run is over: throws when what is kept is not what it must be.</summary>
    void Judge()
    {
    }
}
