using System.Collections.Concurrent;
using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Orleans.Tests.Grains;

/// <summary>A service that cannot prepare: it does what it is asked, refuses, or breaks.</summary>
public sealed class Courier
{
    public ConcurrentDictionary<Guid, string> Sent { get; } = new();
}

[GenerateSerializer]
public sealed class Parcel(string content) : ITransactionCommitOperation<Courier>
{
    [Id(0)]
    public string Content { get; } = content;

    public Task<bool> Commit(Guid transactionId, Courier service)
    {
        if (Content == "bomb") throw new IOException("the van has exploded");
        if (Content == "piano") return Task.FromResult(false);
        service.Sent.TryAdd(transactionId, Content);
        return Task.FromResult(true);
    }
}

public interface IShop : IGrainWithIntegerKey
{
    /// <summary>Takes the price from an account and has the parcel sent, or neither.</summary>
    [Transaction(TransactionOption.Create)]
    Task Sell(long account, string content);
}

[Reentrant]
public sealed class ShopGrain([TransactionCommitter("courier")] ITransactionCommitter<Courier> courier) : Grain, IShop
{
    public async Task Sell(long account, string content)
    {
        await GrainFactory.GetGrain<IAccount>(account).Withdraw(10);
        await courier.OnCommit(new Parcel(content));
    }
}
