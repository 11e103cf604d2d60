using System.Globalization;
using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;
using Polyjuice;
using Tpcc.Grains.Messages;
using Tpcc.Schema;

namespace Tpcc.Grains;

/// <summary>
/// The newest order is a state of its own, as in a database it is an index of another table: orders would otherwise
/// write to the row that payments write to, which in the standard they only read.
/// </summary>
[Reentrant]
[TransactionGroup(Keys.WarehouseGroup, DividedBy = Keys.CustomersOfWarehouse)]
public sealed class CustomerGrain(
    [TransactionalState("customer")] ITransactionalState<CustomerRow> customer,
    [TransactionalState("lastOrder")] ITransactionalState<LastOrder> lastOrder)
    : Grain, ICustomerGrain
{
    private const int ShownData = 200;

    private int Id => (int)(this.GetPrimaryKeyLong() % 100_000);

    public async Task<CustomerTerms> PlaceOrder(int orderId)
    {
        await lastOrder.PerformUpdate(last => { last.OrderId = orderId; });
        return await customer.PerformRead(row => new CustomerTerms
        {
            Last = row.Info.Last,
            HasGoodCredit = row.Info.HasGoodCredit,
            DiscountBasisPoints = row.Info.DiscountBasisPoints,
        });
    }

    public Task<PayingCustomer> Pay(CustomerPayment payment) => customer.PerformUpdate(row =>
    {
        row.BalanceCents -= payment.AmountCents;
        row.YtdPaymentCents += payment.AmountCents;
        row.PaymentCount++;
        if (!row.Info.HasGoodCredit) row.Data = WithPayment(row.Data, payment);
        return new PayingCustomer
        {
            Id = Id,
            Info = row.Info,
            BalanceCents = row.BalanceCents,
            Data = row.Info.HasGoodCredit ? "" : row.Data[..Math.Min(ShownData, row.Data.Length)],
        };
    });

    public Task Credit(long amountCents) => customer.PerformUpdate(row =>
    {
        row.BalanceCents += amountCents;
        row.DeliveryCount++;
    });

    public async Task<CustomerStatus> Status()
    {
        var orderId = await lastOrder.PerformRead(last => last.OrderId);
        return await customer.PerformRead(row => new CustomerStatus
        {
            Name = $"{row.Info.First} {row.Info.Middle} {row.Info.Last}",
            BalanceCents = row.BalanceCents,
            LastOrderId = orderId,
        });
    }

    public async Task Load(CustomerRow row, int lastOrderId)
    {
        await customer.PerformUpdate(state =>
        {
            (state.Info, state.BalanceCents, state.YtdPaymentCents) = (row.Info, row.BalanceCents, row.YtdPaymentCents);
            (state.PaymentCount, state.DeliveryCount, state.Data) = (row.PaymentCount, row.DeliveryCount, row.Data);
        });
        await lastOrder.PerformUpdate(last => { last.OrderId = lastOrderId; });
    }

    public Task<CustomerRow> Read() => customer.PerformRead(row => row);

    // Clause 2.5.2.2: customers with bad credit have their payments put down in front of what is there.
    private string WithPayment(string data, CustomerPayment payment)
    {
        var text = string.Create(
            CultureInfo.InvariantCulture,
            $"{this.GetPrimaryKeyLong()} {payment.District} {payment.AmountCents}|{data}");
        return text.Length <= CustomerRow.DataMax ? text : text[..CustomerRow.DataMax];
    }
}
