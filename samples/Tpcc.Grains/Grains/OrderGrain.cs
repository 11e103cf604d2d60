using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;
using Polyjuice;
using Tpcc.Grains.Messages;
using Tpcc.Schema;

namespace Tpcc.Grains;

/// <inheritdoc cref="IOrderGrain"/>
[Reentrant]
[TransactionGroup(Keys.WarehouseGroup, DividedBy = Keys.OrdersOfWarehouse)]
public sealed class OrderGrain([TransactionalState("order")] ITransactionalState<OrderRow> order) : Grain, IOrderGrain
{
    public Task Insert(OrderRow row) => order.PerformUpdate(state =>
    {
        (state.CustomerId, state.EnteredAt, state.CarrierId) = (row.CustomerId, row.EnteredAt, row.CarrierId);
        (state.LineCount, state.IsAllLocal, state.IsNew) = (row.LineCount, row.IsAllLocal, row.IsNew);
        // A copy: the body may run again with the same argument.
        state.Lines = [.. row.Lines.Select(Copy)];
    });

    public Task<DeliveredOrder?> Deliver(DeliveryRequest request) => order.PerformUpdate(row =>
    {
        if (row.CustomerId == 0) return null;
        row.IsNew = false;
        row.CarrierId = request.CarrierId;
        foreach (var line in row.Lines) line.DeliveredAt = request.DeliveredAt;
        return new DeliveredOrder
        {
            CustomerId = row.CustomerId, AmountCents = row.Lines.Sum(line => line.AmountCents)
        };
    });

    public Task<int[]> Items() => order.PerformRead(row => row.Lines.Select(line => line.ItemId).Distinct().ToArray());

    public Task<OrderRow> Read() => order.PerformRead(row => row);

    private static OrderLineRow Copy(OrderLineRow line) => new()
    {
        ItemId = line.ItemId,
        SupplyWarehouse = line.SupplyWarehouse,
        Quantity = line.Quantity,
        AmountCents = line.AmountCents,
        DistrictText = line.DistrictText,
        DeliveredAt = line.DeliveredAt,
    };
}
