using Orleans;
using Orleans.Concurrency;
using Polyjuice;
using Tpcc.Grains.Messages;
using Tpcc.Schema;

namespace Tpcc.Grains;

/// <summary>A warehouse, and the transactions that begin there.</summary>
public interface IWarehouseGrain : IGrainWithIntegerKey
{
    /// <summary>The Payment transaction (clause 2.5).</summary>
    [Transaction(TransactionOption.Create), Reconnaissance]
    Task<PaymentReceipt> Payment(PaymentRequest request);

    /// <summary>The Delivery transaction (clause 2.7): the oldest new order of each of the ten districts.</summary>
    [Transaction(TransactionOption.Create), Reconnaissance]
    Task<DeliveryReceipt> Delivery(DeliveryRequest request);

    /// <summary>W_TAX, for an order.</summary>
    [Transaction(TransactionOption.Join)]
    Task<int> GetTax();

    /// <summary>Sets the row.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Load(WarehouseRow row);

    /// <summary>The row, for checks.</summary>
    [Transaction(TransactionOption.CreateOrJoin), ReadOnly]
    Task<WarehouseRow> Read();
}
