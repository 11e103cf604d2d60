using Polyjuice.Lab.Workloads;
using Tpcc.Consistency;
using Tpcc.Grains;
using Tpcc.Grains.Messages;
using Tpcc.Schema;

namespace Tpcc.Tests.Grains;

/// <summary>What each of the five transactions does to the rows.</summary>
public class TransactionTests
{
    private static readonly DateTime _now = new(2026, 2, 3, 4, 5, 6, DateTimeKind.Utc);

    [Fact]
    public async Task A_new_order_takes_a_number_writes_its_lines_and_takes_from_stock()
    {
        await using var database = await SmallDatabase.CreateAsync();
        NewOrderReceipt? receipt = null;
        StockRow[] before = [], after = [];
        await database.RunAsync(async () =>
        {
            before = [await database.Stock(1, 7).Read(), await database.Stock(2, 9).Read()];
            receipt = await database.District(1, 3).NewOrder(Order(customer: 4, (7, 1, 5), (9, 2, 6)));
            after = [await database.Stock(1, 7).Read(), await database.Stock(2, 9).Read()];
        });
        var rows = await database.ReadAsync();
        Assert.Empty(ConsistencyConditions.Check(rows));
        var district = rows.Districts[103];
        Assert.Equal(database.Size.Customers + 1, receipt!.OrderId);
        Assert.Equal(receipt.OrderId + 1, district.Row.NextOrderId);
        var order = district.Orders[receipt.OrderId];
        Assert.Equal(
            (4, true, false, 2, _now, null),
            (order.CustomerId, order.IsNew, order.IsAllLocal, order.LineCount, order.EnteredAt, order.CarrierId));
        Assert.Equal(
            [(7, 1, 5), (9, 2, 6)], order.Lines.Select(line => (line.ItemId, line.SupplyWarehouse, line.Quantity)));
        Assert.Equal(
            [before[0].Info!.TextOf(3), before[1].Info!.TextOf(3)], order.Lines.Select(line => line.DistrictText));
        Assert.Equal(receipt.Lines.Select(line => line.AmountCents), order.Lines.Select(line => line.AmountCents));
        var discount = district.Customers[Keys.Customer(1, 3, 4)].Info.DiscountBasisPoints;
        var taxes = rows.Warehouses[1].Info.TaxBasisPoints + district.Row.Info.TaxBasisPoints;
        var amount = order.Lines.Sum(line => line.AmountCents);
        Assert.Equal(
            (long)Math.Round(
                amount * (1 - (discount / 10_000m)) * (1 + (taxes / 10_000m)), MidpointRounding.AwayFromZero),
            receipt.TotalCents);
        Assert.Equal(
            [(5, 1, 0), (6, 1, 1)],
            after.Select(stock => ((int)stock.OrderedPieces, stock.OrderCount, stock.RemoteCount)));
        Assert.All(before.Zip(after).Zip([5, 6]), pair =>
        {
            var left = pair.First.First.Quantity - pair.Second;
            Assert.Equal(left < 10 ? left + 91 : left, pair.First.Second.Quantity);
        });
    }

    [Fact]
    public async Task An_order_with_an_unused_item_leaves_nothing_behind()
    {
        await using var database = await SmallDatabase.CreateAsync();
        Exception? refusal = null;
        await database.RunAsync(async () =>
        {
            refusal = await Record.ExceptionAsync(
                () => database.District(1, 3).NewOrder(Order(customer: 4, (7, 1, 5), (database.Size.Items + 1, 1, 6))));
            Assert.Equal(0, (await database.Stock(1, 7).Read()).OrderCount);
        });
        Assert.Equal(OperationOutcome.Declined, Outcomes.Of<InvalidItemException>(refusal!));
        var rows = await database.ReadAsync();
        Assert.Empty(ConsistencyConditions.Check(rows));
        Assert.Equal(database.Size.Customers + 1, rows.Districts[103].Row.NextOrderId);
    }

    [Fact]
    public async Task One_item_may_be_on_several_lines_of_an_order()
    {
        await using var database = await SmallDatabase.CreateAsync();
        await database.RunAsync(async () =>
        {
            await database.District(1, 3).NewOrder(Order(customer: 4, (7, 1, 5), (7, 1, 1), (7, 1, 2)));
            var stock = await database.Stock(1, 7).Read();
            Assert.Equal((8, 3), ((int)stock.OrderedPieces, stock.OrderCount));
        });
        Assert.Empty(ConsistencyConditions.Check(await database.ReadAsync()));
    }

    [Fact]
    public async Task A_payment_by_name_is_of_the_customer_in_the_middle_even_of_another_warehouse()
    {
        await using var database = await SmallDatabase.CreateAsync();
        var before = await database.ReadAsync();
        var namesakes = before.Districts[205].Customers.Values.GroupBy(c => c.Info.Last).MaxBy(name => name.Count())!;
        var middle = namesakes.OrderBy(c => c.Info.First, StringComparer.Ordinal)
            .ElementAt((namesakes.Count() - 1) / 2);
        PaymentReceipt? receipt = null;
        await database.RunAsync(async () => receipt = await database.Warehouse(1).Payment(new PaymentRequest
        {
            District = 2,
            Customer = new CustomerSelector { Warehouse = 2, District = 5, Last = namesakes.Key },
            AmountCents = 123_45,
            PaidAt = _now,
        }));
        Assert.Equal(middle.Info.First, receipt!.Customer.Info.First);
        Assert.Equal(-133_45, receipt.Customer.BalanceCents);
        var rows = await database.ReadAsync();
        Assert.Empty(ConsistencyConditions.Check(rows));
        Assert.Equal(before.Warehouses[1].YtdCents + 123_45, rows.Warehouses[1].YtdCents);
        var payment = rows.Districts[102].Payments[^1];
        Assert.Equal(
            (Keys.Customer(2, 5, receipt.Customer.Id), 123_45, _now),
            (payment.Customer, payment.AmountCents, payment.PaidAt));
        var customer = rows.Districts[205].Customers[payment.Customer];
        Assert.Equal((2, 133_45L), (customer.PaymentCount, customer.YtdPaymentCents));
    }

    [Fact]
    public async Task A_payment_of_bad_credit_is_put_down_in_the_customers_data()
    {
        await using var database = await SmallDatabase.CreateAsync();
        var key =
            (await database.ReadAsync()).Districts.Values.SelectMany(d => d.Customers)
                .First(c => !c.Value.Info.HasGoodCredit).Key;
        var (district, id) = (key / 100_000, (int)(key % 100_000));
        await database.RunAsync(async () =>
        {
            var receipt = await database.Warehouse(Keys.WarehouseOf(district)).Payment(new PaymentRequest
            {
                District = Keys.NumberOf(district),
                Customer = new CustomerSelector
                {
                    Warehouse = Keys.WarehouseOf(district), District = Keys.NumberOf(district), Id = id
                },
                AmountCents = 77,
                PaidAt = _now,
            });
            Assert.StartsWith($"{key} {district} 77|", receipt.Customer.Data, StringComparison.Ordinal);
            Assert.Equal(200, receipt.Customer.Data.Length);
        });
        var data = (await database.ReadAsync()).Districts[district].Customers[key].Data;
        Assert.InRange(data.Length, 300, CustomerRow.DataMax);
    }

    [Fact]
    public async Task A_delivery_takes_the_oldest_order_of_each_district_until_there_is_none()
    {
        await using var database = await SmallDatabase.CreateAsync();
        var before = await database.ReadAsync();
        var undelivered = database.Size.Customers - database.Size.DeliveredOrders;
        var receipts = new List<DeliveryReceipt>();
        await database.RunAsync(async () =>
        {
            for (var n = 0; n <= undelivered; n++)
                receipts.Add(
                    await database.Warehouse(1).Delivery(new DeliveryRequest { CarrierId = 6, DeliveredAt = _now }));

            // What comes later is delivered too: the place in the queue was not lost.
            var order = (await database.District(1, 4).NewOrder(Order(customer: 1, (1, 1, 1)))).OrderId;
            Assert.Equal(
                order,
                (await database.Warehouse(1)
                    .Delivery(new DeliveryRequest { CarrierId = 7, DeliveredAt = _now })).OrderIds[3]);
        });
        for (var n = 0; n < undelivered; n++)
            Assert.Equal(Enumerable.Repeat(database.Size.DeliveredOrders + 1 + n, 10), receipts[n].OrderIds);
        Assert.Equal(Enumerable.Repeat(0, 10), receipts[^1].OrderIds);
        var rows = await database.ReadAsync();
        Assert.Empty(ConsistencyConditions.Check(rows));
        Assert.All(
            rows.Districts.Where(d => d.Key < 200),
            d => Assert.DoesNotContain(d.Value.Orders.Values, order => order.IsNew));
        var first = rows.Districts[101].Orders[database.Size.DeliveredOrders + 1];
        Assert.Equal(6, first.CarrierId);
        Assert.All(first.Lines, line => Assert.Equal(_now, line.DeliveredAt));
        var customer = Keys.Customer(1, 1, first.CustomerId);
        Assert.Equal(
            before.Districts[101].Customers[customer].BalanceCents + first.Lines.Sum(l => l.AmountCents),
            rows.Districts[101].Customers[customer].BalanceCents);
    }

    [Fact]
    public async Task An_order_status_shows_the_customers_newest_order()
    {
        await using var database = await SmallDatabase.CreateAsync();
        var name = (await database.ReadAsync()).Districts[103].Customers[Keys.Customer(1, 3, 1)].Info;
        await database.RunAsync(async () =>
        {
            var order = await database.District(1, 3).NewOrder(Order(customer: 1, (7, 1, 5), (9, 1, 6)));
            var status = await database.District(1, 3)
                .OrderStatus(new CustomerSelector { Warehouse = 1, District = 3, Id = 1 });
            Assert.Equal($"{name.First} OE {name.Last}", status.Customer.Name);
            Assert.Equal((order.OrderId, -10_00L), (status.Customer.LastOrderId, status.Customer.BalanceCents));
            Assert.Equal([7, 9], status.Order!.Lines.Select(line => line.ItemId));
            Assert.NotNull(
                (await database.District(1, 3)
                    .OrderStatus(new CustomerSelector { Warehouse = 1, District = 3, Last = name.Last })).Order);
        });
    }

    [Fact]
    public async Task A_stock_level_counts_the_scarce_items_of_the_latest_twenty_orders_once_each()
    {
        await using var database = await SmallDatabase.CreateAsync();
        await database.RunAsync(async () =>
        {
            // Twenty orders for two items, so that nothing older counts.
            for (var n = 0; n < 20; n++)
                await database.District(2, 8).NewOrder(Order(customer: 1, (7, 2, 1), (9, 2, 1)));
            var quantities = new[]
            {
                (await database.Stock(2, 7).Read()).Quantity, (await database.Stock(2, 9).Read()).Quantity
            };
            Assert.Equal(0, await database.District(2, 8).StockLevel(quantities.Min()));
            Assert.Equal(2, await database.District(2, 8).StockLevel(quantities.Max() + 1));
        });
    }

    private static NewOrderRequest Order(int customer, params (int Item, int Warehouse, int Quantity)[] lines) => new()
    {
        CustomerId = customer,
        EnteredAt = _now,
        Lines =
        [
            .. lines.Select(
                line => new NewOrderLine
                {
                    ItemId = line.Item, SupplyWarehouse = line.Warehouse, Quantity = line.Quantity
                })
        ],
    };
}
