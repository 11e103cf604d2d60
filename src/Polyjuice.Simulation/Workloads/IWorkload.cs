using Polyjuice.Simulation.Grains;

namespace Polyjuice.Simulation.Workloads;

/// <summary>Makes the transactions of a run, one after the other.</summary>
internal interface IWorkload
{
    /// <summary>What the next client asks for.</summary>
    TransactionSpec Next();
}
