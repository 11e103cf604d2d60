using Orleans;
using Polyjuice.Lab.Workloads;
using Tpcc.Grains;
using Tpcc.Schema;

namespace Tpcc.Loading;

/// <summary>Fills the database, many grains at a time.</summary>
/// <param name="grains">Where to.</param>
/// <param name="size">How much.</param>
/// <param name="population">With what.</param>
internal sealed class DatabaseLoader(IGrainFactory grains, DatabaseSize size, Population population)
{
    /// <summary>Calls under way. More would only wait in the silos' queues.</summary>
    private const int Concurrency = 128;

    /// <summary>Loads everything.</summary>
    /// <param name="progress">Hears the share that is there.</param>
    public async Task LoadAsync(Action<double> progress)
    {
        var pages = (int)Keys.ItemPage(size.Items) + 1;
        var districts = size.Warehouses * DatabaseSize.Districts;
        var historyPages = (size.Customers + Keys.PaymentsPerPage - 1) / Keys.PaymentsPerPage;
        var total = pages + ((long)size.Warehouses * size.Items) + ((long)districts * ((2 * size.Customers) + historyPages));
        var done = 0L;

        await ForEachAsync(pages, page => grains.GetGrain<IItemPageGrain>(page).Load(population.ItemPage(page)));
        for (var warehouse = 1; warehouse <= size.Warehouses; warehouse++)
        {
            var w = warehouse;
            await grains.GetGrain<IWarehouseGrain>(w).Load(population.Warehouse(w));
            await ForEachAsync(size.Items, item => grains.GetGrain<IStockGrain>(Keys.Stock(w, item + 1)).Load(population.Stock(w, item + 1)));
            for (var district = 1; district <= DatabaseSize.Districts; district++) await LoadDistrictAsync(w, district);
        }

        async Task LoadDistrictAsync(int warehouse, int number)
        {
            var key = Keys.District(warehouse, number);
            var ordering = population.OrderingCustomers(key);
            var orderOf = new int[ordering.Length + 1];
            for (var order = 1; order <= ordering.Length; order++) orderOf[ordering[order - 1]] = order;
            var customers = new CustomerRow[size.Customers];
            await ForEachAsync(size.Customers, index =>
            {
                customers[index] = population.Customer(warehouse, number, index + 1);
                return grains.GetGrain<ICustomerGrain>(Keys.Customer(warehouse, number, index + 1)).Load(customers[index], orderOf[index + 1]);
            });
            await ForEachAsync(size.Customers, index => grains.GetGrain<IOrderGrain>(Keys.Order(key, index + 1)).Insert(population.Order(key, index + 1, ordering[index])));
            await ForEachAsync(historyPages, page =>
            {
                var first = page * Keys.PaymentsPerPage;
                return grains.GetGrain<IHistoryPageGrain>(Keys.HistoryPage(key, first)).Load(population.History(warehouse, number, first));
            });
            await grains.GetGrain<ICustomerNamesGrain>(key).Load(Population.Names(customers));
            await grains.GetGrain<IDistrictGrain>(key).Load(population.District(key), size.DeliveredOrders + 1);
        }

        Task ForEachAsync(int count, Func<int, Task> load) => Batches.ForEachAsync(count, Concurrency, async index =>
        {
            await load(index);
            progress((double)++done / total);
        });
    }
}
