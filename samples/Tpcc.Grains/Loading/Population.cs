using System.Collections.Immutable;
using Tpcc.Schema;

namespace Tpcc.Loading;

/// <summary>
/// What is in the database before the first transaction (clause 4.3.3.1). Every row is drawn from the seed and its own
/// key alone, so that the same seed gives the same database in whatever order it is loaded.
/// </summary>
/// <param name="size">How much there is.</param>
/// <param name="seed">Of all choices.</param>
public sealed class Population(DatabaseSize size, ulong seed)
{
    private const long MostPriceCents = 999_999;
    private static readonly DateTime _loadedAt = new(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc);
    private readonly NonUniform _nonUniform = new(size, seed);

    private enum Table
    {
        Item = 1,
        Warehouse,
        Stock,
        District,
        Customer,
        Order,
        Permutation,
    }

    /// <summary>A warehouse.</summary>
    public WarehouseRow Warehouse(int warehouse) =>
        new()
        {
            Info = Place(Draw(Table.Warehouse, warehouse)),
            YtdCents = DatabaseSize.Districts * size.Customers * DatabaseSize.FirstPaymentCents
        };

    /// <summary>A district.</summary>
    public DistrictRow District(long district) => new()
    {
        Info = Place(Draw(Table.District, district)),
        YtdCents = size.Customers * DatabaseSize.FirstPaymentCents,
        NextOrderId = size.Customers + 1,
        Payments = size.Customers,
    };

    /// <summary>A page of the catalogue.</summary>
    public ItemPage ItemPage(long page) => new()
    {
        Items = [.. Enumerable.Range(1, size.Items).Where(item => Keys.ItemPage(item) == page).Select(Item)],
    };

    /// <summary>An item's stock.</summary>
    public StockRow Stock(int warehouse, int item)
    {
        var random = Draw(Table.Stock, Keys.Stock(warehouse, item));
        const int Text = StockInfo.TextLength * DatabaseSize.Districts;
        return new StockRow
        {
            Quantity = random.Between(10, 100),
            Info = new StockInfo { DistrictTexts = random.Alphanumeric(Text, Text), Data = random.ItemData() },
        };
    }

    /// <summary>A customer.</summary>
    public CustomerRow Customer(int warehouse, int district, int customer)
    {
        var random = Draw(Table.Customer, Keys.Customer(warehouse, district, customer));
        var last = customer <= size.LastNames ? LastNames.Of(customer - 1) : _nonUniform.LastNameToLoad(random.Next);
        return new CustomerRow
        {
            Info = new CustomerInfo
            {
                First = random.Alphanumeric(8, 16),
                Last = last,
                Address = random.Address(),
                Phone = random.Digits(16),
                Since = _loadedAt,
                HasGoodCredit = random.Next(10) > 0,
                CreditLimitCents = 50_000_00,
                DiscountBasisPoints = random.Between(0, 5_000),
            },
            BalanceCents = -DatabaseSize.FirstPaymentCents,
            YtdPaymentCents = DatabaseSize.FirstPaymentCents,
            PaymentCount = 1,
            Data = random.Alphanumeric(300, CustomerRow.DataMax),
        };
    }

    /// <summary>The index of a district's customers.</summary>
    public CustomerNames Names(int warehouse, int district) =>
        Names([.. Enumerable.Range(1, size.Customers).Select(customer => Customer(warehouse, district, customer))]);

    /// <summary>The index of a district's customers, by their rows.</summary>
    /// <param name="customers">In the order of their numbers, from 1.</param>
    public static CustomerNames Names(IReadOnlyList<CustomerRow> customers) => new()
    {
        ByLastName = Enumerable.Range(1, customers.Count)
            .GroupBy(id => customers[id - 1].Info.Last, StringComparer.Ordinal)
            .ToImmutableDictionary(
                name => name.Key,
                name => name.OrderBy(id => customers[id - 1].Info.First, StringComparer.Ordinal).ToImmutableArray()),
    };

    /// <summary>Who made a district's first orders: each customer one, in random order.</summary>
    /// <returns>The customers, in the order of the orders' numbers, from 1.</returns>
    public int[] OrderingCustomers(long district)
    {
        var customers = Enumerable.Range(1, size.Customers).ToArray();
        var random = Draw(Table.Permutation, district);
        for (var i = customers.Length - 1; i > 0; i--)
        {
            var j = random.Next(i + 1);
            (customers[i], customers[j]) = (customers[j], customers[i]);
        }

        return customers;
    }

    /// <summary>One of a district's first orders.</summary>
    public OrderRow Order(long district, int order, int customer)
    {
        var random = Draw(Table.Order, Keys.Order(district, order));
        var isDelivered = order <= size.DeliveredOrders;
        var lines = Enumerable.Range(0, random.Between(5, 15)).Select(_ => new OrderLineRow
        {
            ItemId = random.Between(1, size.Items),
            SupplyWarehouse = Keys.WarehouseOf(district),
            Quantity = 5,
            AmountCents = isDelivered ? 0 : 1 + (long)(random.NextDouble() * MostPriceCents),
            DistrictText = random.Alphanumeric(StockInfo.TextLength, StockInfo.TextLength),
            DeliveredAt = isDelivered ? _loadedAt : null,
        }).ToList();
        return new OrderRow
        {
            CustomerId = customer,
            EnteredAt = _loadedAt,
            CarrierId = isDelivered ? random.Between(1, 10) : null,
            LineCount = lines.Count,
            IsAllLocal = true,
            IsNew = !isDelivered,
            Lines = lines,
        };
    }

    /// <summary>A page of a district's history: every customer's first payment.</summary>
    /// <param name="warehouse">The warehouse.</param>
    /// <param name="district">The district's number in it.</param>
    /// <param name="first">The number of the page's first payment, from 0.</param>
    public HistoryPage History(int warehouse, int district, int first) => new()
    {
        Payments = [.. Enumerable.Range(first, Math.Min(Keys.PaymentsPerPage, size.Customers - first))
            .Select(number => new HistoryRow
            {
                Customer = Keys.Customer(warehouse, district, number + 1),
                PaidAt = _loadedAt,
                AmountCents = DatabaseSize.FirstPaymentCents,
                Data = "as loaded",
            })],
    };

    private ItemRow Item(int item)
    {
        var random = Draw(Table.Item, item);
        return new ItemRow
        {
            Name = random.Alphanumeric(14, 24), PriceCents = random.Between(1_00, 100_00), Data = random.ItemData()
        };
    }

    private static PlaceInfo Place(SeededRandom random) =>
        new()
        {
            Name = random.Alphanumeric(6, 10), Address = random.Address(), TaxBasisPoints = random.Between(0, 2_000)
        };

    private SeededRandom Draw(Table table, long key) =>
        new(SeededRandom.Derive(seed + ((ulong)table << 56), (ulong)key));
}
