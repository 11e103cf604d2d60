using System.Globalization;

namespace Tpcc.Schema;

/// <summary>
/// How many rows there are: the standard's (clause 1.2.1), or a share of them for runs that have not the time or
/// memory. Each warehouse has ten districts at any scale, because they are what transactions meet at.
/// </summary>
/// <param name="Warehouses">At least 1.</param>
/// <param name="Scale">0.001 to 1; 1 is the standard's.</param>
public sealed record DatabaseSize(int Warehouses, double Scale)
{
    /// <summary>Districts of a warehouse.</summary>
    public const int Districts = 10;

    /// <summary>What every customer has paid before the first transaction, in cents.</summary>
    public const long FirstPaymentCents = 10_00;

    /// <summary>Items, which all warehouses stock: 100,000.</summary>
    public int Items { get; } = Share(100_000, Scale, atLeast: 100);

    /// <summary>Customers of a district: 3,000. Each has one order at first.</summary>
    public int Customers { get; } = Share(3_000, Scale, atLeast: 10);

    /// <summary>Last names that the customers of a district share: 1,000.</summary>
    public int LastNames { get; } = Share(1_000, Scale, atLeast: 3);

    /// <summary>Of the first orders of a district, the oldest of that many have been delivered: 2,100.</summary>
    public int DeliveredOrders => Customers * 7 / 10;

    /// <inheritdoc/>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Warehouses} warehouse{(Warehouses == 1 ? "" : "s")}, scale {Scale}: {Items:N0} items, "
        + $"{Customers * Districts:N0} customers and orders each");

    private static int Share(int standard, double scale, int atLeast) =>
        Math.Max(atLeast, (int)Math.Round(standard * scale));
}
