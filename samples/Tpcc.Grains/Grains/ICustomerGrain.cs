using Orleans;
using Orleans.Concurrency;
using Tpcc.Grains.Messages;
using Tpcc.Schema;

namespace Tpcc.Grains;

/// <summary>A customer of a district.</summary>
public interface ICustomerGrain : IGrainWithIntegerKey
{
    /// <summary>Takes note of a new order, and says what it needs to know.</summary>
    [Transaction(TransactionOption.Join)]
    Task<CustomerTerms> PlaceOrder(int orderId);

    /// <summary>Books a payment.</summary>
    [Transaction(TransactionOption.Join)]
    Task<PayingCustomer> Pay(CustomerPayment payment);

    /// <summary>Books a delivered order.</summary>
    [Transaction(TransactionOption.Join)]
    Task Credit(long amountCents);

    /// <summary>Balance and newest order.</summary>
    [Transaction(TransactionOption.Join)]
    Task<CustomerStatus> Status();

    /// <summary>Sets the row, and the newest order.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Load(CustomerRow row, int lastOrderId);

    /// <summary>The row, for checks.</summary>
    [Transaction(TransactionOption.CreateOrJoin), ReadOnly]
    Task<CustomerRow> Read();
}
