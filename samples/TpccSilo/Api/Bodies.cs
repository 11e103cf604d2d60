namespace TpccSilo.Api;

/// <summary>Of PUT /database.</summary>
/// <param name="Warehouses">1 to 10.</param>
/// <param name="Scale">
/// 0.001 to 1, of the standard's items and customers; no more than 50,000 grains with all warehouses.
/// </param>
/// <param name="Seed">Of all rows.</param>
internal sealed record DatabaseRequest(int Warehouses, double Scale, ulong Seed);

/// <summary>What there is.</summary>
internal sealed record DatabaseAnswer(
    int Warehouses, double Scale, ulong Seed, int Items, int CustomersPerDistrict, int Loaded, int Grains);

/// <summary>A New-Order.</summary>
/// <param name="Customer">Of the district, from 1.</param>
/// <param name="Lines">5 to 15.</param>
/// <param name="At">When; now, if it is not said.</param>
internal sealed record OrderRequest(int Customer, OrderLineRequest[]? Lines, DateTimeOffset? At);

/// <summary>One line of it.</summary>
internal sealed record OrderLineRequest(int Item, int Quantity, int? SupplyWarehouse);

/// <summary>
/// A customer, by number or by last name; of the place where the request is made, unless it says another one.
/// </summary>
internal sealed record CustomerRequest
{
    public int? Id { get; init; }

    public string? Last { get; init; }

    public int? Warehouse { get; init; }

    public int? District { get; init; }
}

/// <summary>A Payment.</summary>
/// <param name="District">Where it is made.</param>
/// <param name="Customer">Who pays.</param>
/// <param name="Amount">In cents.</param>
/// <param name="At">When; now, if it is not said.</param>
internal sealed record PaymentBody(int District, CustomerRequest? Customer, long Amount, DateTimeOffset? At);

/// <summary>A Delivery.</summary>
/// <param name="Carrier">1 to 10.</param>
/// <param name="At">When; now, if it is not said.</param>
internal sealed record DeliveryBody(int Carrier, DateTimeOffset? At);

/// <summary>A Stock-Level.</summary>
/// <param name="Scarce">How many of the latest orders' items are scarce.</param>
internal sealed record StockLevelAnswer(int Scarce);
