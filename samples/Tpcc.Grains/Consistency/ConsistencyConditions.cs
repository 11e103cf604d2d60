using System.Globalization;
using Tpcc.Schema;

namespace Tpcc.Consistency;

/// <summary>
/// The standard's twelve consistency conditions (clause 3.3.2), for all rows rather than a sample of them.
/// </summary>
public static class ConsistencyConditions
{
    /// <summary>How many there are.</summary>
    public const int Count = 12;

    /// <summary>What does not hold; nothing if all is well.</summary>
    public static IReadOnlyList<Violation> Check(DatabaseRows rows)
    {
        var violations = new List<Violation>();
        var customers = CustomerSums.Of(rows);
        foreach (var (number, warehouse) in rows.Warehouses)
        {
            var districts = rows.Districts.Where(d => Keys.WarehouseOf(d.Key) == number).Select(d => d.Value).ToList();
            Expect(
                1,
                $"warehouse {number}: W_YTD",
                warehouse.YtdCents,
                "the sum of D_YTD",
                districts.Sum(d => d.Row.YtdCents));
            Expect(
                8,
                $"warehouse {number}: W_YTD",
                warehouse.YtdCents,
                "the sum of H_AMOUNT",
                districts.Sum(d => d.Payments.Sum(p => p.AmountCents)));
        }

        foreach (var (key, district) in rows.Districts)
        {
            CheckDistrict(key, district);
            foreach (var (id, order) in district.Orders) CheckOrder($"order {Keys.Order(key, id)}", order);
            foreach (var (id, customer) in district.Customers)
            {
                Expect(
                    10,
                    $"customer {id}: C_BALANCE",
                    customer.BalanceCents,
                    "delivered OL_AMOUNT − H_AMOUNT",
                    customers.Delivered(id) - customers.Paid(id));
                Expect(
                    12,
                    $"customer {id}: C_BALANCE + C_YTD_PAYMENT",
                    customer.BalanceCents + customer.YtdPaymentCents,
                    "delivered OL_AMOUNT",
                    customers.Delivered(id));
            }
        }

        return violations;

        void CheckDistrict(long key, DistrictRows district)
        {
            var name = $"district {key}";
            var orders = district.Orders;
            var newest = orders.Count == 0 ? 0 : orders.Keys.Max();
            var undelivered = orders.Where(o => o.Value.IsNew).Select(o => o.Key).ToList();
            Expect(2, $"{name}: D_NEXT_O_ID − 1", district.Row.NextOrderId - 1, "the greatest O_ID", newest);
            if (undelivered.Count > 0)
            {
                Expect(
                    2,
                    $"{name}: D_NEXT_O_ID − 1",
                    district.Row.NextOrderId - 1,
                    "the greatest NO_O_ID",
                    undelivered[^1]);
                Expect(
                    3,
                    $"{name}: the span of NO_O_ID",
                    undelivered[^1] - undelivered[0] + 1,
                    "the rows of NEW-ORDER",
                    undelivered.Count);
            }

            Expect(
                4,
                $"{name}: the sum of O_OL_CNT",
                orders.Values.Sum(o => (long)o.LineCount),
                "the rows of ORDER-LINE",
                orders.Values.Sum(o => (long)o.Lines.Count));
            Expect(
                9,
                $"{name}: D_YTD",
                district.Row.YtdCents,
                "the sum of H_AMOUNT",
                district.Payments.Sum(p => p.AmountCents));

            // The standard's constant 2,100 holds before the first delivery;
            // later, what customers count as delivered comes on top.
            Expect(
                11, $"{name}: the rows of ORDER − those of NEW-ORDER", orders.Count - undelivered.Count,
                "the orders delivered at first + C_DELIVERY_CNT",
                rows.DeliveredAtLoad + district.Customers.Values.Sum(c => (long)c.DeliveryCount));
        }

        void CheckOrder(string name, OrderRow order)
        {
            ExpectSame(
                5,
                $"{name}: O_CARRIER_ID is null",
                order.CarrierId is null,
                "there is a row of NEW-ORDER",
                order.IsNew);
            Expect(6, $"{name}: O_OL_CNT", order.LineCount, "its rows of ORDER-LINE", order.Lines.Count);
            foreach (var line in order.Lines)
                ExpectSame(
                    7,
                    $"{name}: an OL_DELIVERY_D is null",
                    line.DeliveredAt is null,
                    "O_CARRIER_ID is null",
                    order.CarrierId is null);
        }

        void Expect(int condition, string what, long found, string wanted, long expected)
        {
            if (found != expected)
                violations.Add(
                    new Violation(
                        condition,
                        string.Create(CultureInfo.InvariantCulture, $"{what} is {found}, {wanted} {expected}")));
        }

        void ExpectSame(int condition, string what, bool found, string wanted, bool expected)
        {
            if (found != expected)
                violations.Add(new Violation(condition, $"{what} ({found}), but not: {wanted} ({expected})"));
        }
    }
}

/// <summary>A condition that does not hold.</summary>
/// <param name="Condition">Its number: 1 to 12.</param>
/// <param name="Text">Where, and what was found.</param>
public sealed record Violation(int Condition, string Text)
{
    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"condition {Condition}: {Text}");
}
