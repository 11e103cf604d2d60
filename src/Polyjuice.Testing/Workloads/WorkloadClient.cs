using Orleans;

namespace Polyjuice.Testing;

/// <summary>One client of a workload. Its calls are made one after the other.</summary>
/// <param name="number">From 0.</param>
/// <param name="random">Its own choices.</param>
/// <param name="grains">References to grains.</param>
/// <param name="transactions">Transactions that the client itself starts.</param>
public sealed class WorkloadClient(int number, Random random, IGrainFactory grains, ITransactionClient transactions)
{
    /// <summary>Which of the clients it is, from 0.</summary>
    public int Number => number;

    /// <summary>Its own choices, from the workload's seed and its number. For one thread at a time.</summary>
    public Random Random => random;

    /// <summary>References to grains.</summary>
    public IGrainFactory Grains => grains;

    /// <summary>Transactions that the client itself starts.</summary>
    public ITransactionClient Transactions => transactions;
}
