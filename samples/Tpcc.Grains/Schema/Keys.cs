namespace Tpcc.Schema;

/// <summary>
/// The primary keys, packed into the grains' integer keys so that they can still be read: customer 42 of district 3 of
/// warehouse 1 is 1_03_00042. Warehouses, districts, customers, orders and items count from 1, as the standard has
/// them.
/// </summary>
public static class Keys
{
    /// <summary>Items on one page of the catalogue.</summary>
    public const int ItemsPerPage = 100;

    /// <summary>Payments on one page of a district's history.</summary>
    public const int PaymentsPerPage = 10;

    /// <summary>
    /// What grains of a warehouse have for their <see cref="Polyjuice.TransactionGroupAttribute"/>: its number.
    /// </summary>
    public const string WarehouseGroup = "warehouse";

    /// <summary>A warehouse's number is a district's key by this.</summary>
    public const long Districts = 100;

    /// <summary>A warehouse's number is a customer's key by this.</summary>
    public const long CustomersOfWarehouse = Districts * Customers;

    /// <summary>A warehouse's number is the key of an order, or of a page of the history, by this.</summary>
    public const long OrdersOfWarehouse = Districts * Orders;

    /// <summary>A warehouse's number is the key of an item's stock by this.</summary>
    public const long Items = 1_000_000;

    private const long Customers = 100_000;
    private const long Orders = 100_000_000;

    /// <summary>A district, its delivery queue and its index of customers' names.</summary>
    public static long District(int warehouse, int district) => (warehouse * Districts) + district;

    /// <summary>The warehouse of a district's key.</summary>
    public static int WarehouseOf(long district) => (int)(district / Districts);

    /// <summary>The number within its warehouse of a district's key.</summary>
    public static int NumberOf(long district) => (int)(district % Districts);

    /// <summary>A customer.</summary>
    public static long Customer(int warehouse, int district, int customer) =>
        (District(warehouse, district) * Customers) + customer;

    /// <summary>An order of a district.</summary>
    public static long Order(long district, int order) => (district * Orders) + order;

    /// <summary>The page of a district's history that holds a payment.</summary>
    /// <param name="district">The district's key.</param>
    /// <param name="payment">The number of the payment in its district, from 0.</param>
    public static long HistoryPage(long district, int payment) => (district * Orders) + (payment / PaymentsPerPage);

    /// <summary>An item's stock in a warehouse.</summary>
    public static long Stock(int warehouse, int item) => (warehouse * Items) + item;

    /// <summary>The page of the catalogue that holds an item.</summary>
    public static long ItemPage(int item) => (item - 1) / ItemsPerPage;
}
