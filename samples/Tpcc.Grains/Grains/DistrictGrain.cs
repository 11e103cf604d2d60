using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;
using Polyjuice;
using Tpcc.Grains.Messages;
using Tpcc.Schema;

namespace Tpcc.Grains;

/// <inheritdoc cref="IDistrictGrain"/>
[Reentrant]
[TransactionGroup(Keys.WarehouseGroup, DividedBy = Keys.Districts)]
public sealed class DistrictGrain(
    [TransactionalState("district")] ITransactionalState<DistrictRow> district,
    [TransactionalState("delivery")] ITransactionalState<DeliveryQueue> delivery)
    : Grain, IDistrictGrain
{
    private const int LatestOrders = 20;

    private long Key => this.GetPrimaryKeyLong();

    private int Warehouse => Keys.WarehouseOf(Key);

    private int Number => Keys.NumberOf(Key);

    public async Task<NewOrderReceipt> NewOrder(NewOrderRequest request)
    {
        var warehouseTax = await GrainFactory.GetGrain<IWarehouseGrain>(Warehouse).GetTax();
        var (orderId, districtTax) = await district.PerformUpdate(row => (row.NextOrderId++, row.Info.TaxBasisPoints));
        var taking = request.Lines.Select(TakeAsync).ToArray();
        await Refusals.WhenAll(taking);
        var items = await Task.WhenAll(taking);
        var order = new OrderRow
        {
            CustomerId = request.CustomerId,
            EnteredAt = request.EnteredAt,
            LineCount = request.Lines.Length,
            IsAllLocal = request.Lines.All(line => line.SupplyWarehouse == Warehouse),
            IsNew = true,
            Lines = [.. request.Lines.Zip(items, Line)],
        };
        var customer = Customer(request.CustomerId).PlaceOrder(orderId);
        await Task.WhenAll(customer, Order(orderId).Insert(order));
        var terms = await customer;
        return new NewOrderReceipt
        {
            OrderId = orderId,
            Customer = terms,
            TotalCents = Money.Total(
                order.Lines.Sum(line => line.AmountCents), terms.DiscountBasisPoints, warehouseTax + districtTax),
            Lines = [.. order.Lines.Zip(items, ReceiptLine)],
        };
    }

    public async Task<OrderStatusReceipt> OrderStatus(CustomerSelector customer)
    {
        var id = customer.Last is null
            ? customer.Id
            : await GrainFactory.GetGrain<ICustomerNamesGrain>(Key).FindMiddle(customer.Last);
        var status = await Customer(id).Status();
        return new OrderStatusReceipt
        {
            Customer = status, Order = status.LastOrderId == 0 ? null : await Order(status.LastOrderId).Read()
        };
    }

    public async Task<int> StockLevel(int threshold)
    {
        var next = await district.PerformRead(row => row.NextOrderId);
        var first = Math.Max(1, next - LatestOrders);
        var items = await Task.WhenAll(Enumerable.Range(first, next - first).Select(order => Order(order).Items()));
        var quantities = await Task.WhenAll(items.SelectMany(ids => ids).Distinct()
            .Select(item => Stock(Warehouse, item).Quantity()));
        return quantities.Count(quantity => quantity < threshold);
    }

    public Task<DistrictPayment> Pay(long amountCents) => district.PerformUpdate(row =>
    {
        row.YtdCents += amountCents;
        return new DistrictPayment { Number = row.Payments++, District = row.Info };
    });

    public async Task<int> DeliverOldest(DeliveryRequest request)
    {
        // Taken first and put back if it is not there: a read followed
        // by an update would have two deliveries wait for each other.
        var orderId = await delivery.PerformUpdate(queue => queue.OldestOrderId++);
        if (await Order(orderId).Deliver(request) is not { } order)
        {
            await delivery.PerformUpdate(queue => { queue.OldestOrderId = orderId; });
            return 0;
        }

        await Customer(order.CustomerId).Credit(order.AmountCents);
        return orderId;
    }

    public async Task Load(DistrictRow row, int oldestNewOrder)
    {
        await district.PerformUpdate(
            state =>
            {
                (state.Info, state.YtdCents, state.NextOrderId, state.Payments) =
                    (row.Info, row.YtdCents, row.NextOrderId, row.Payments);
            });
        await delivery.PerformUpdate(queue => { queue.OldestOrderId = oldestNewOrder; });
    }

    public Task<DistrictRow> Read() => district.PerformRead(row => row);

    // The item and its stock at once: an item that is not there has no stock either, and both say so.
    private async Task<(ItemRow Item, TakenStock Stock)> TakeAsync(NewOrderLine line)
    {
        var item = GrainFactory.GetGrain<IItemPageGrain>(Keys.ItemPage(line.ItemId)).Get(line.ItemId);
        var stock = Stock(line.SupplyWarehouse, line.ItemId)
            .Take(Number, line.Quantity, isRemote: line.SupplyWarehouse != Warehouse);
        await Refusals.WhenAll(item, stock);
        return (await item, await stock);
    }

    private static OrderLineRow Line(NewOrderLine line, (ItemRow Item, TakenStock Stock) taken) => new()
    {
        ItemId = line.ItemId,
        SupplyWarehouse = line.SupplyWarehouse,
        Quantity = line.Quantity,
        AmountCents = (long)line.Quantity * taken.Item.PriceCents,
        DistrictText = taken.Stock.DistrictText,
    };

    private static NewOrderReceiptLine ReceiptLine(OrderLineRow line, (ItemRow Item, TakenStock Stock) taken) => new()
    {
        ItemName = taken.Item.Name,
        StockQuantity = taken.Stock.Quantity,
        IsBrand = taken.Stock.IsBrand && taken.Item.Data.Contains(ItemRow.Original, StringComparison.Ordinal),
        AmountCents = line.AmountCents,
    };

    private ICustomerGrain Customer(int id) =>
        GrainFactory.GetGrain<ICustomerGrain>(Keys.Customer(Warehouse, Number, id));

    private IOrderGrain Order(int id) => GrainFactory.GetGrain<IOrderGrain>(Keys.Order(Key, id));

    private IStockGrain Stock(int warehouse, int item) =>
        GrainFactory.GetGrain<IStockGrain>(Keys.Stock(warehouse, item));
}
