using System.Collections.Immutable;
using Orleans;

namespace Tpcc.Grains.Messages;

/// <summary>What a New-Order shows (clause 2.4.3.3).</summary>
[GenerateSerializer]
[Immutable]
public sealed class NewOrderReceipt
{
    /// <summary>O_ID.</summary>
    [Id(0)]
    public int OrderId { get; init; }

    /// <summary>C_LAST, C_CREDIT, C_DISCOUNT.</summary>
    [Id(1)]
    public CustomerTerms Customer { get; init; } = new();

    /// <summary>With discount and both taxes, in cents.</summary>
    [Id(2)]
    public long TotalCents { get; init; }

    /// <summary>In the order of the request's.</summary>
    [Id(3)]
    public ImmutableArray<NewOrderReceiptLine> Lines { get; init; } = [];
}

/// <summary>One line of it.</summary>
[GenerateSerializer]
[Immutable]
public sealed class NewOrderReceiptLine
{
    /// <summary>I_NAME.</summary>
    [Id(0)]
    public string ItemName { get; init; } = "";

    /// <summary>S_QUANTITY, after the order.</summary>
    [Id(1)]
    public int StockQuantity { get; init; }

    /// <summary>Whether brand-generic is "B".</summary>
    [Id(2)]
    public bool IsBrand { get; init; }

    /// <summary>OL_AMOUNT, in cents.</summary>
    [Id(3)]
    public long AmountCents { get; init; }
}

/// <summary>What an order needs to know of its customer.</summary>
[GenerateSerializer]
[Immutable]
public sealed class CustomerTerms
{
    /// <summary>C_LAST.</summary>
    [Id(0)]
    public string Last { get; init; } = "";

    /// <summary>C_CREDIT.</summary>
    [Id(1)]
    public bool HasGoodCredit { get; init; }

    /// <summary>C_DISCOUNT.</summary>
    [Id(2)]
    public int DiscountBasisPoints { get; init; }
}

/// <summary>What an order takes out of a stock.</summary>
[GenerateSerializer]
[Immutable]
public sealed class TakenStock
{
    /// <summary>S_QUANTITY, after the order.</summary>
    [Id(0)]
    public int Quantity { get; init; }

    /// <summary>S_DIST_xx of the order's district.</summary>
    [Id(1)]
    public string DistrictText { get; init; } = "";

    /// <summary>Whether S_DATA names the brand.</summary>
    [Id(2)]
    public bool IsBrand { get; init; }
}
