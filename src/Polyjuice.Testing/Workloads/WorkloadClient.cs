using Orleans;

namespace Polyjuice.Testing;

/// <summary>One client of a workload. Its calls are made one after the other. For one thread at a time.</summary>
public sealed class WorkloadClient
{
    internal WorkloadClient(int number, Random random, IGrainFactory grains, ITransactionClient transactions) =>
        (Number, Random, Grains, Transactions) = (number, random, grains, transactions);

    /// <summary>Which of the clients it is, from 0.</summary>
    public int Number { get; }

    /// <summary>Its own choices, from the workload's seed and its number. For one thread at a time.</summary>
    public Random Random { get; }

    /// <summary>References to grains.</summary>
    public IGrainFactory Grains { get; }

    /// <summary>Transactions that the client itself starts.</summary>
    public ITransactionClient Transactions { get; }
}
