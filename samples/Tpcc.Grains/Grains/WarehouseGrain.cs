using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;
using Polyjuice;
using Tpcc.Grains.Messages;
using Tpcc.Schema;

namespace Tpcc.Grains;

/// <inheritdoc cref="IWarehouseGrain"/>
[Reentrant]
[TransactionGroup(Keys.WarehouseGroup)]
public sealed class WarehouseGrain(
    [TransactionalState("warehouse")] ITransactionalState<WarehouseRow> warehouse) : Grain, IWarehouseGrain
{
    private int Number => (int)this.GetPrimaryKeyLong();

    public async Task<PaymentReceipt> Payment(PaymentRequest request)
    {
        var place = await warehouse.PerformUpdate(row =>
        {
            row.YtdCents += request.AmountCents;
            return row.Info;
        });
        var district = Keys.District(Number, request.District);
        var booked = await GrainFactory.GetGrain<IDistrictGrain>(district).Pay(request.AmountCents);
        var who = request.Customer;
        var id = who.Last is null
            ? who.Id
            : await GrainFactory.GetGrain<ICustomerNamesGrain>(Keys.District(who.Warehouse, who.District)).FindMiddle(
                who.Last);
        var customer = Keys.Customer(who.Warehouse, who.District, id);
        var paid = await GrainFactory.GetGrain<ICustomerGrain>(customer)
            .Pay(new CustomerPayment { District = district, AmountCents = request.AmountCents });
        await GrainFactory.GetGrain<IHistoryPageGrain>(Keys.HistoryPage(district, booked.Number)).Add(new HistoryRow
        {
            Customer = customer,
            PaidAt = request.PaidAt,
            AmountCents = request.AmountCents,
            Data = $"{place.Name}    {booked.District.Name}",
        });
        return new PaymentReceipt { Warehouse = place, District = booked.District, Customer = paid };
    }

    public async Task<DeliveryReceipt> Delivery(DeliveryRequest request)
    {
        var districts = Enumerable.Range(1, DatabaseSize.Districts)
            .Select(number => GrainFactory.GetGrain<IDistrictGrain>(Keys.District(Number, number)));
        return new DeliveryReceipt
        {
            OrderIds = [.. await Task.WhenAll(districts.Select(district => district.DeliverOldest(request)))]
        };
    }

    public Task<int> GetTax() => warehouse.PerformRead(row => row.Info.TaxBasisPoints);

    public Task Load(WarehouseRow row) =>
        warehouse.PerformUpdate(state => { (state.Info, state.YtdCents) = (row.Info, row.YtdCents); });

    public Task<WarehouseRow> Read() => warehouse.PerformRead(row => row);
}
