using Orleans;

namespace Polyjuice.Orleans.Benchmarks.Plain;

/// <summary>A grain whose class has a transactional method, and which makes plain calls beside it.</summary>
[Alias("Polyjuice.Benchmarks.ITransactionalPingGrain")]
public interface ITransactionalPingGrain : IGrainWithIntegerKey
{
    /// <summary>Calls a plain grain, one call after the other.</summary>
    /// <param name="target">The other's key.</param>
    /// <param name="calls">How many times.</param>
    [Alias("PingOther")]
    Task PingOther(long target, int calls);

    /// <summary>Nothing; it makes the class one of those that Polyjuice looks after.</summary>
    [Transaction(TransactionOption.CreateOrJoin), Alias("Commit")]
    Task Commit();
}
