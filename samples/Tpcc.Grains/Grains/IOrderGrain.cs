using Orleans;
using Orleans.Concurrency;
using Tpcc.Grains.Messages;
using Tpcc.Schema;

namespace Tpcc.Grains;

/// <summary>An order of a district, with its lines.</summary>
public interface IOrderGrain : IGrainWithIntegerKey
{
    /// <summary>Puts the order down.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Insert(OrderRow row);

    /// <summary>Delivers it; <see langword="null"/> if there is no such order yet.</summary>
    [Transaction(TransactionOption.Join)]
    Task<DeliveredOrder?> Deliver(DeliveryRequest request);

    /// <summary>The different items in it.</summary>
    [Transaction(TransactionOption.Join)]
    Task<int[]> Items();

    /// <summary>The order with its lines; without a customer if there is no such order.</summary>
    [Transaction(TransactionOption.CreateOrJoin), ReadOnly]
    Task<OrderRow> Read();
}
