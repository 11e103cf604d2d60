using Orleans;
using Polyjuice.Lab.Workloads;
using Tpcc.Grains;
using Tpcc.Schema;

namespace Tpcc.Consistency;

/// <summary>
/// Reads everything that the conditions are about. Each grain in a transaction of its own, which is exact when no other transaction runs; called inside of a transaction, all of it is read at one moment.
/// </summary>
internal static class DatabaseReader
{
    private const int Concurrency = 128;

    /// <summary>Reads.</summary>
    /// <param name="grains">From where.</param>
    /// <param name="size">How much was loaded.</param>
    /// <param name="progress">Hears the share of districts that was read.</param>
    public static async Task<DatabaseRows> ReadAsync(IGrainFactory grains, DatabaseSize size, Action<double> progress)
    {
        var rows = new DatabaseRows { DeliveredAtLoad = size.DeliveredOrders };
        for (var warehouse = 1; warehouse <= size.Warehouses; warehouse++)
        {
            rows.Warehouses[warehouse] = await grains.GetGrain<IWarehouseGrain>(warehouse).Read();
            for (var district = 1; district <= DatabaseSize.Districts; district++)
            {
                rows.Districts[Keys.District(warehouse, district)] = await ReadAsync(grains, size, warehouse, district);
                progress((double)rows.Districts.Count / (size.Warehouses * DatabaseSize.Districts));
            }
        }

        return rows;
    }

    private static async Task<DistrictRows> ReadAsync(IGrainFactory grains, DatabaseSize size, int warehouse, int number)
    {
        var key = Keys.District(warehouse, number);
        var district = new DistrictRows(await grains.GetGrain<IDistrictGrain>(key).Read());
        await Batches.ForEachAsync(size.Customers, Concurrency, async index =>
        {
            var customer = Keys.Customer(warehouse, number, index + 1);
            district.Customers[customer] = await grains.GetGrain<ICustomerGrain>(customer).Read();
        });

        // One more than there should be, so that an order beyond the district's counter is found.
        await Batches.ForEachAsync(district.Row.NextOrderId, Concurrency, async index =>
        {
            var order = await grains.GetGrain<IOrderGrain>(Keys.Order(key, index + 1)).Read();
            if (order.CustomerId != 0) district.Orders[index + 1] = order;
        });
        var pages = new HistoryPage[(district.Row.Payments / Keys.PaymentsPerPage) + 1];
        await Batches.ForEachAsync(
            pages.Length, Concurrency, async page => pages[page] = await grains.GetGrain<IHistoryPageGrain>(Keys.HistoryPage(key, page * Keys.PaymentsPerPage)).Read());
        district.Payments.AddRange(pages.SelectMany(page => page.Payments));
        return district;
    }
}
