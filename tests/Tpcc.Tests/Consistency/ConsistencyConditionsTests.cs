using Tpcc.Consistency;
using Tpcc.Schema;
using Tpcc.Tests.Loading;

namespace Tpcc.Tests.Consistency;

/// <summary>Each condition of clause 3.3.2 finds what breaks it.</summary>
public class ConsistencyConditionsTests
{
    private const long Customer = 101_00001;
    private readonly DatabaseRows _rows = LoadedRows.Of(new DatabaseSize(2, 0.005));

    private DistrictRows District => _rows.Districts[101];

    private OrderRow Delivered => District.Orders.Values.First(order => !order.IsNew);

    private OrderRow New => District.Orders.Values.First(order => order.IsNew);

    [Fact]
    public void What_is_loaded_breaks_none() => Assert.Empty(ConsistencyConditions.Check(_rows));

    [Fact]
    public void Condition_1_finds_a_district_with_a_payment_that_its_warehouse_has_not()
    {
        District.Row.YtdCents += 1;
        Assert.Equal([1, 9], Broken());
    }

    [Fact]
    public void Condition_2_finds_an_order_that_is_missing_at_the_end()
    {
        District.Row.NextOrderId++;
        Assert.Equal([2], Broken());
    }

    [Fact]
    public void Condition_2_finds_a_new_order_without_its_entry()
    {
        var last = District.Orders.Values.Last();
        last.IsNew = false;
        last.CarrierId = 1;
        last.Lines.ForEach(line => (line.DeliveredAt, line.AmountCents) = (DateTime.UnixEpoch, 0));
        District.Customers[Customer].DeliveryCount++;
        Assert.Equal([2], Broken());
    }

    [Fact]
    public void Condition_3_finds_a_gap_among_the_new_orders()
    {
        var (_, middle) = District.Orders.Where(order => order.Value.IsNew).ElementAt(1);
        middle.IsNew = false;
        middle.CarrierId = 1;
        middle.Lines.ForEach(line => (line.DeliveredAt, line.AmountCents) = (DateTime.UnixEpoch, 0));
        District.Customers[Customer].DeliveryCount++;
        Assert.Equal([3], Broken());
    }

    [Fact]
    public void Condition_4_finds_lines_without_an_order_that_counts_them()
    {
        New.Lines.RemoveAt(0);
        Assert.Equal([4, 6], Broken());
    }

    [Fact]
    public void Condition_5_finds_a_delivered_order_without_a_carrier()
    {
        Delivered.CarrierId = null;
        Assert.Equal([5, 7], Broken());
    }

    [Fact]
    public void Condition_6_finds_lines_in_the_wrong_order_even_if_the_district_has_as_many_as_it_should()
    {
        var (one, other) = (District.Orders[1], District.Orders[2]);
        one.Lines.Add(other.Lines[^1]);
        other.Lines.RemoveAt(other.Lines.Count - 1);
        Assert.Equal([6], Broken());
    }

    [Fact]
    public void Condition_7_finds_a_line_that_was_left_out_of_a_delivery()
    {
        Delivered.Lines[^1].DeliveredAt = null;
        Assert.Equal([7], Broken());
    }

    [Fact]
    public void Condition_8_finds_a_payment_that_a_warehouse_has_lost()
    {
        _rows.Warehouses[1].YtdCents -= 5;
        Assert.Equal([1, 8], Broken());
    }

    [Fact]
    public void Condition_9_finds_a_payment_in_the_wrong_district()
    {
        _rows.Districts[102].Payments.Add(District.Payments[^1]);
        District.Payments.RemoveAt(District.Payments.Count - 1);
        Assert.Equal([9], Broken());
    }

    [Fact]
    public void Condition_10_finds_a_payment_in_another_customers_history()
    {
        var payment = District.Payments[0];
        District.Payments[0] = new HistoryRow { Customer = payment.Customer + 1, AmountCents = payment.AmountCents };
        Assert.Equal([10], Broken());
    }

    [Fact]
    public void Condition_11_finds_a_delivery_that_no_customer_has_got()
    {
        District.Customers[Customer].DeliveryCount--;
        Assert.Equal([11], Broken());
    }

    [Fact]
    public void Condition_12_finds_a_payment_that_was_booked_once_instead_of_twice()
    {
        District.Customers[Customer].YtdPaymentCents += 7;
        Assert.Equal([12], Broken());
    }

    [Fact]
    public void A_violation_says_where_and_what()
    {
        District.Row.NextOrderId++;
        var text = ConsistencyConditions.Check(_rows)[0].ToString();
        Assert.Equal("condition 2: district 101: D_NEXT_O_ID − 1 is 16, the greatest O_ID 15", text);
    }

    private int[] Broken() =>
        [.. ConsistencyConditions.Check(_rows).Select(violation => violation.Condition).Distinct().Order()];
}
