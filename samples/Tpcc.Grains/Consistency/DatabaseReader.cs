using Orleans;
using Tpcc.Grains;
using Tpcc.Schema;

namespace Tpcc.Consistency;

/// <summary>
/// Reads everything that the conditions are about. Each grain in a transaction of its own, which is exact when no
/// other transaction runs; called inside of a transaction, all of it is read at one moment.
/// </summary>
public static class DatabaseReader
{
    private const int Concurrency = 128;

    /// <summary>Reads.</summary>
    /// <param name="grains">From where.</param>
    /// <param name="size">How much was loaded.</param>
    /// <param name="progress">Hears the share of districts that was read.</param>
    public static async Task<DatabaseRows> ReadAsync(
        IGrainFactory grains, DatabaseSize size, Action<double>? progress = null)
    {
        ArgumentNullException.ThrowIfNull(grains);
        ArgumentNullException.ThrowIfNull(size);
        var rows = new DatabaseRows { DeliveredAtLoad = size.DeliveredOrders };
        for (var warehouse = 1; warehouse <= size.Warehouses; warehouse++)
        {
            rows.Warehouses[warehouse] = await grains.GetGrain<IWarehouseGrain>(warehouse).Read();
            for (var district = 1; district <= DatabaseSize.Districts; district++)
            {
                rows.Districts[Keys.District(warehouse, district)] = await ReadAsync(grains, size, warehouse, district);
                progress?.Invoke((double)rows.Districts.Count / (size.Warehouses * DatabaseSize.Districts));
            }
        }

        return rows;
    }

    private static async Task<DistrictRows> ReadAsync(
        IGrainFactory grains, DatabaseSize size, int warehouse, int number)
    {
        var key = Keys.District(warehouse, number);
        var district = new DistrictRows(await grains.GetGrain<IDistrictGrain>(key).Read());
        var customers = await ReadAllAsync(
            size.Customers,
            index => grains.GetGrain<ICustomerGrain>(Keys.Customer(warehouse, number, index + 1)).Read());
        foreach (var (index, customer) in customers)
            district.Customers[Keys.Customer(warehouse, number, index + 1)] = customer;

        // One more than there should be, so that an order beyond the district's counter is found.
        var orders = await ReadAllAsync(
            district.Row.NextOrderId, index => grains.GetGrain<IOrderGrain>(Keys.Order(key, index + 1)).Read());
        foreach (var (index, order) in orders)
        {
            if (order.CustomerId != 0) district.Orders[index + 1] = order;
        }

        var pages = await ReadAllAsync(
            (district.Row.Payments / Keys.PaymentsPerPage) + 1,
            page => grains.GetGrain<IHistoryPageGrain>(Keys.HistoryPage(key, page * Keys.PaymentsPerPage)).Read());
        foreach (var (_, page) in pages) district.Payments.AddRange(page.Payments);
        return district;
    }

    private static async Task<IEnumerable<(int Index, T Row)>> ReadAllAsync<T>(int count, Func<int, Task<T>> read)
    {
        var rows = new List<T>(count);
        foreach (var some in Enumerable.Range(0, count).Chunk(Concurrency))
            rows.AddRange(await Task.WhenAll(some.Select(read)));
        return rows.Index();
    }
}
