using Tpcc.Consistency;
using Tpcc.Loading;
using Tpcc.Schema;

namespace Tpcc.Tests.Loading;

/// <summary>Clause 4.3.3.1.</summary>
public class PopulationTests
{
    private static readonly DatabaseSize _small = new(2, 0.01);

    [Fact]
    public void A_loaded_database_meets_all_conditions()
    {
        Assert.Empty(ConsistencyConditions.Check(LoadedRows.Of(_small)));
    }

    [Fact]
    public void At_scale_1_the_sizes_are_the_standards()
    {
        var size = new DatabaseSize(1, 1);
        Assert.Equal(
            (100_000, 3_000, 1_000, 2_100), (size.Items, size.Customers, size.LastNames, size.DeliveredOrders));
        var population = new Population(size, 1);
        Assert.Equal((300_000_00L, 30_000_00L), (population.Warehouse(1).YtdCents, population.District(101).YtdCents));
        Assert.Equal(3_001, population.District(101).NextOrderId);
    }

    [Fact]
    public void The_same_seed_gives_the_same_rows_in_any_order_and_another_seed_gives_others()
    {
        var (one, same, other) = (new Population(_small, 7), new Population(_small, 7), new Population(_small, 8));
        same.Stock(2, 50);
        Assert.Equal(one.Stock(1, 3).Info!.DistrictTexts, same.Stock(1, 3).Info!.DistrictTexts);
        Assert.Equal(one.OrderingCustomers(101), same.OrderingCustomers(101));
        Assert.Equal(one.Customer(1, 2, 3).Data, same.Customer(1, 2, 3).Data);
        Assert.NotEqual(one.Customer(1, 2, 3).Data, other.Customer(1, 2, 3).Data);
        Assert.NotEqual(one.Customer(1, 2, 3).Data, one.Customer(1, 2, 4).Data);
    }

    [Fact]
    public void Every_customer_has_made_one_order_and_the_newest_third_of_them_is_not_delivered()
    {
        var district = LoadedRows.Of(_small).Districts[201];
        Assert.Equal(Enumerable.Range(1, 30), district.Orders.Values.Select(order => order.CustomerId).Order());
        Assert.Equal(
            Enumerable.Range(22, 9), district.Orders.Where(order => order.Value.IsNew).Select(order => order.Key));
        Assert.All(district.Orders.Values, order => Assert.InRange(order.Lines.Count, 5, 15));
        Assert.All(
            district.Orders.Values,
            order => Assert.All(order.Lines, line => Assert.Equal(order.IsNew, line.AmountCents > 0)));
    }

    [Fact]
    public void Texts_have_the_standards_lengths_and_a_tenth_of_the_items_is_of_the_brand()
    {
        var population = new Population(new DatabaseSize(1, 0.01), 1);
        var stock = Enumerable.Range(1, 1_000).Select(item => population.Stock(1, item)).ToList();
        Assert.All(stock, row => Assert.Equal(240, row.Info!.DistrictTexts.Length));
        Assert.All(stock, row => Assert.Equal(24, row.Info!.TextOf(10).Length));
        Assert.All(stock, row => Assert.InRange(row.Info!.Data.Length, 26, 50));
        Assert.All(stock, row => Assert.InRange(row.Quantity, 10, 100));
        Assert.InRange(
            stock.Count(row => row.Info!.Data.Contains(ItemRow.Original, StringComparison.Ordinal)), 70, 130);
        var customers = Enumerable.Range(1, 300)
            .Select(id => new Population(new DatabaseSize(1, 0.1), 1).Customer(1, 1, id)).ToList();
        Assert.All(customers, row => Assert.InRange(row.Data.Length, 300, 500));
        Assert.InRange(customers.Count(row => !row.Info.HasGoodCredit), 10, 60);
    }

    [Fact]
    public void The_index_of_names_is_in_the_order_of_first_names()
    {
        var population = new Population(_small, 1);
        var customers = Enumerable.Range(1, _small.Customers).Select(id => population.Customer(1, 1, id)).ToList();
        var names = Population.Names(customers).ByLastName;
        Assert.Equal(_small.Customers, names.Values.Sum(ids => ids.Length));
        Assert.Equal(_small.LastNames, names.Count);
        Assert.All(names, name =>
        {
            Assert.All(name.Value, id => Assert.Equal(name.Key, customers[id - 1].Info.Last));
            var first = name.Value.Select(id => customers[id - 1].Info.First).ToList();
            Assert.Equal(first.Order(StringComparer.Ordinal), first);
        });
    }
}
