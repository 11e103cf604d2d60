using Orleans;
using Orleans.Concurrency;
using Polyjuice;
using Tpcc.Grains.Messages;
using Tpcc.Schema;

namespace Tpcc.Grains;

/// <summary>A district of a warehouse, and the transactions that begin there.</summary>
public interface IDistrictGrain : IGrainWithIntegerKey
{
    /// <summary>
    /// The New-Order transaction (clause 2.4). Throws <see cref="InvalidItemException"/>,
    /// which aborts the order, if there is no such item.
    /// </summary>
    [Transaction(TransactionOption.Create), Reconnaissance]
    Task<NewOrderReceipt> NewOrder(NewOrderRequest request);

    /// <summary>The Order-Status transaction (clause 2.6).</summary>
    [Transaction(TransactionOption.Create), ReadOnly]
    Task<OrderStatusReceipt> OrderStatus(CustomerSelector customer);

    /// <summary>The Stock-Level transaction (clause 2.8): how many items of the latest 20 orders are scarce.</summary>
    [Transaction(TransactionOption.Create), ReadOnly]
    Task<int> StockLevel(int threshold);

    /// <summary>This district's part in a Payment.</summary>
    [Transaction(TransactionOption.Join)]
    Task<DistrictPayment> Pay(long amountCents);

    /// <summary>
    /// This district's part in a Delivery. Returns the order that was delivered, or 0 if there was none.
    /// </summary>
    [Transaction(TransactionOption.Join)]
    Task<int> DeliverOldest(DeliveryRequest request);

    /// <summary>Sets the row, and where deliveries begin.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Load(DistrictRow row, int oldestNewOrder);

    /// <summary>The row, for checks.</summary>
    [Transaction(TransactionOption.CreateOrJoin), ReadOnly]
    Task<DistrictRow> Read();
}
