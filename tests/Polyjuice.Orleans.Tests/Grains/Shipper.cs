using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Orleans.Tests.Grains;

/// <summary>What a shipper tells of: its number counts the shipper's own shipments, from 1.</summary>
[GenerateSerializer, Immutable]
public sealed record Shipment([property: Id(0)] int Number, [property: Id(1)] string Text);

/// <summary>Counts what it ships, and sends a message of each.</summary>
public interface IShipper : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Ship(string sender, string text);

    [Transaction(TransactionOption.Create)]
    Task ShipAll(string sender, string[] texts);

    [Transaction(TransactionOption.Create)]
    Task ShipBoth(long other, string sender, string text);

    [Transaction(TransactionOption.Create)]
    Task ShipAndThrow(string sender, string text);

    [Transaction(TransactionOption.CreateOrJoin), ReadOnly]
    Task<int> Count();

    /// <summary>Is no transaction.</summary>
    Task ShipOutside(string sender);
}

[Reentrant]
public sealed class ShipperGrain(
    [TransactionalState("count")] ITransactionalState<Balance> count, ITransactionalOutbox outbox) : Grain, IShipper
{
    public async Task Ship(string sender, string text)
    {
        var number = await count.PerformUpdate(state => ++state.Value);
        await outbox.EnqueueAsync(sender, new Shipment(number, text));
    }

    public async Task ShipAll(string sender, string[] texts)
    {
        foreach (var text in texts) await Ship(sender, text);
    }

    public async Task ShipBoth(long other, string sender, string text)
    {
        await Ship(sender, text);
        await GrainFactory.GetGrain<IShipper>(other).Ship(sender, text);
    }

    public async Task ShipAndThrow(string sender, string text)
    {
        await Ship(sender, text);
        throw new InvalidOperationException("It does not fit.");
    }

    public Task<int> Count() => count.PerformRead(state => state.Value);

    public Task ShipOutside(string sender) => outbox.EnqueueAsync(sender, "outside");
}
