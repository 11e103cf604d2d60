using System.Runtime.InteropServices;
using Tpcc.Schema;

namespace Tpcc.Consistency;

/// <summary>
/// What customers have got and paid, by orders and history. Payments
/// may have been made at another warehouse than the customer's.
/// </summary>
internal sealed class CustomerSums
{
    private readonly Dictionary<long, long> _delivered = [];
    private readonly Dictionary<long, long> _paid = [];

    public static CustomerSums Of(DatabaseRows rows)
    {
        var sums = new CustomerSums();
        foreach (var (key, district) in rows.Districts)
        {
            foreach (var payment in district.Payments) Add(sums._paid, payment.Customer, payment.AmountCents);
            foreach (var order in district.Orders.Values)
            {
                var customer = Keys.Customer(Keys.WarehouseOf(key), Keys.NumberOf(key), order.CustomerId);
                Add(
                    sums._delivered,
                    customer,
                    order.Lines.Where(line => line.DeliveredAt is not null).Sum(line => line.AmountCents));
            }
        }

        return sums;
    }

    /// <summary>The sum of OL_AMOUNT where OL_DELIVERY_D is not null.</summary>
    public long Delivered(long customer) => _delivered.GetValueOrDefault(customer);

    /// <summary>The sum of H_AMOUNT.</summary>
    public long Paid(long customer) => _paid.GetValueOrDefault(customer);

    private static void Add(Dictionary<long, long> sums, long customer, long cents) =>
        CollectionsMarshal.GetValueRefOrAddDefault(sums, customer, out _) += cents;
}
