using Orleans;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Orleans.States;

/// <summary>The state of a transaction committer: what the latest transaction asked to be called.</summary>
[GenerateSerializer, Alias("Polyjuice.CommitOperation`1")]
internal sealed class CommitOperation<TService> where TService : class
{
    /// <summary>The operation.</summary>
    [Id(0)]
    public ITransactionCommitOperation<TService>? Operation { get; set; }
}
