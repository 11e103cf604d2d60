using Orleans;

namespace Tpcc.Schema;

/// <summary>What never changes about a customer.</summary>
[GenerateSerializer]
[Immutable]
public sealed class CustomerInfo
{
    /// <summary>C_FIRST, 8 to 16 characters.</summary>
    [Id(0)]
    public string First { get; init; } = "";

    /// <summary>C_MIDDLE.</summary>
    [Id(1)]
    public string Middle { get; init; } = "OE";

    /// <summary>C_LAST, of three syllables.</summary>
    [Id(2)]
    public string Last { get; init; } = "";

    /// <summary>C_STREET_1 … C_ZIP.</summary>
    [Id(3)]
    public Address Address { get; init; } = new();

    /// <summary>C_PHONE, 16 digits.</summary>
    [Id(4)]
    public string Phone { get; init; } = "";

    /// <summary>C_SINCE.</summary>
    [Id(5)]
    public DateTime Since { get; init; }

    /// <summary>C_CREDIT: whether it is "GC", good; otherwise "BC", bad.</summary>
    [Id(6)]
    public bool HasGoodCredit { get; init; } = true;

    /// <summary>C_CREDIT_LIM, in cents.</summary>
    [Id(7)]
    public long CreditLimitCents { get; init; }

    /// <summary>C_DISCOUNT in hundredths of a percent: 0 to 5,000.</summary>
    [Id(8)]
    public int DiscountBasisPoints { get; init; }
}
