using Orleans;
using Tpcc.Grains;
using Tpcc.Schema;

namespace Tpcc.Loading;

/// <summary>
/// The calls that fill the database, each of which sets one grain's rows. Their order does not matter.
/// </summary>
/// <param name="size">How much there is to be.</param>
/// <param name="population">With what.</param>
public sealed class LoadPlan(DatabaseSize size, Population population)
{
    private readonly int _pages = (int)Keys.ItemPage(size.Items) + 1;
    private readonly int _historyPages = (size.Customers + Keys.PaymentsPerPage - 1) / Keys.PaymentsPerPage;

    /// <summary>The calls for a database by the standard.</summary>
    /// <param name="size">How much there is to be.</param>
    /// <param name="seed">Of all rows.</param>
    public static LoadPlan Of(DatabaseSize size, ulong seed) => new(size, new Population(size, seed));

    /// <summary>How many there are.</summary>
    public int Calls => _pages + (size.Warehouses * CallsPerWarehouse);

    // Its row and its stock; and of each district the customers and their orders, its history, the index of names and
    // its row.
    private int CallsPerWarehouse => 1 + size.Items + (DatabaseSize.Districts * CallsPerDistrict);

    private int CallsPerDistrict => (2 * size.Customers) + _historyPages + 2;

    /// <summary>Makes one of them.</summary>
    /// <param name="grains">Where to; of a transaction, if it is called within one.</param>
    /// <param name="call">Which, from 0.</param>
    public Task MakeAsync(IGrainFactory grains, int call)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(call);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(call, Calls);
        if (call < _pages) return grains.GetGrain<IItemPageGrain>(call).Load(population.ItemPage(call));
        var (index, row) = Math.DivRem(call - _pages, CallsPerWarehouse);
        var warehouse = index + 1;
        if (row == 0) return grains.GetGrain<IWarehouseGrain>(warehouse).Load(population.Warehouse(warehouse));
        if (row <= size.Items)
            return grains.GetGrain<IStockGrain>(Keys.Stock(warehouse, row)).Load(population.Stock(warehouse, row));
        (index, row) = Math.DivRem(row - 1 - size.Items, CallsPerDistrict);
        return MakeAsync(grains, warehouse, index + 1, row);
    }

    private Task MakeAsync(IGrainFactory grains, int warehouse, int number, int row)
    {
        var district = Keys.District(warehouse, number);
        if (row < size.Customers)
        {
            var customer = row + 1;
            var order = Array.IndexOf(population.OrderingCustomers(district), customer) + 1;
            return grains.GetGrain<ICustomerGrain>(Keys.Customer(warehouse, number, customer)).Load(
                population.Customer(warehouse, number, customer), order);
        }

        row -= size.Customers;
        if (row < size.Customers)
        {
            var customer = population.OrderingCustomers(district)[row];
            return grains.GetGrain<IOrderGrain>(Keys.Order(district, row + 1)).Insert(
                population.Order(district, row + 1, customer));
        }

        row -= size.Customers;
        if (row < _historyPages)
        {
            var first = row * Keys.PaymentsPerPage;
            return grains.GetGrain<IHistoryPageGrain>(Keys.HistoryPage(district, first)).Load(
                population.History(warehouse, number, first));
        }

        if (row == _historyPages)
            return grains.GetGrain<ICustomerNamesGrain>(district).Load(population.Names(warehouse, number));
        return grains.GetGrain<IDistrictGrain>(district).Load(population.District(district), size.DeliveredOrders + 1);
    }
}
