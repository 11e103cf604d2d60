using Tpcc.Consistency;
using Tpcc.Loading;
using Tpcc.Schema;

namespace Tpcc.Tests.Loading;

/// <summary>The rows that are loaded, without a cluster.</summary>
internal static class LoadedRows
{
    public static DatabaseRows Of(DatabaseSize size, ulong seed = 1)
    {
        var population = new Population(size, seed);
        var rows = new DatabaseRows { DeliveredAtLoad = size.DeliveredOrders };
        for (var warehouse = 1; warehouse <= size.Warehouses; warehouse++)
        {
            rows.Warehouses[warehouse] = population.Warehouse(warehouse);
            for (var number = 1; number <= DatabaseSize.Districts; number++)
            {
                var key = Keys.District(warehouse, number);
                var district = new DistrictRows(population.District(key));
                var ordering = population.OrderingCustomers(key);
                for (var id = 1; id <= size.Customers; id++)
                {
                    district.Customers[Keys.Customer(warehouse, number, id)] = population.Customer(
                        warehouse, number, id);
                    district.Orders[id] = population.Order(key, id, ordering[id - 1]);
                }

                for (var first = 0; first < size.Customers; first += Keys.PaymentsPerPage)
                    district.Payments.AddRange(population.History(warehouse, number, first).Payments);
                rows.Districts[key] = district;
            }
        }

        return rows;
    }
}
