using Orleans;
using Tpcc.Schema;

namespace Tpcc.Grains.Messages;

/// <summary>What a user enters for a Payment (clause 2.5.1).</summary>
[GenerateSerializer]
[Immutable]
public sealed class PaymentRequest
{
    /// <summary>D_ID of the district where it is made.</summary>
    [Id(0)]
    public int District { get; init; }

    /// <summary>Who pays; 15% are of another warehouse.</summary>
    [Id(1)]
    public CustomerSelector Customer { get; init; } = new();

    /// <summary>H_AMOUNT, in cents.</summary>
    [Id(2)]
    public long AmountCents { get; init; }

    /// <summary>H_DATE.</summary>
    [Id(3)]
    public DateTime PaidAt { get; init; }
}

/// <summary>What a Payment shows (clause 2.5.3.3).</summary>
[GenerateSerializer]
[Immutable]
public sealed class PaymentReceipt
{
    /// <summary>Where it was made.</summary>
    [Id(0)]
    public PlaceInfo Warehouse { get; init; } = new();

    /// <summary>Where it was made.</summary>
    [Id(1)]
    public PlaceInfo District { get; init; } = new();

    /// <summary>Who has paid.</summary>
    [Id(2)]
    public PayingCustomer Customer { get; init; } = new();
}

/// <summary>The customer after a Payment.</summary>
[GenerateSerializer]
[Immutable]
public sealed class PayingCustomer
{
    /// <summary>C_ID.</summary>
    [Id(0)]
    public int Id { get; init; }

    /// <summary>C_FIRST … C_DISCOUNT.</summary>
    [Id(1)]
    public CustomerInfo Info { get; init; } = new();

    /// <summary>C_BALANCE, in cents.</summary>
    [Id(2)]
    public long BalanceCents { get; init; }

    /// <summary>The first 200 characters of C_DATA, where credit is bad.</summary>
    [Id(3)]
    public string Data { get; init; } = "";
}

/// <summary>A district's part in a Payment.</summary>
[GenerateSerializer]
[Immutable]
public sealed class DistrictPayment
{
    /// <summary>The payment's number in its district, from 0.</summary>
    [Id(0)]
    public int Number { get; init; }

    /// <summary>D_NAME … D_TAX.</summary>
    [Id(1)]
    public PlaceInfo District { get; init; } = new();
}

/// <summary>A customer's part in a Payment.</summary>
[GenerateSerializer]
[Immutable]
public sealed class CustomerPayment
{
    /// <summary>D_ID and D_W_ID of where it is made: the district's key.</summary>
    [Id(0)]
    public long District { get; init; }

    /// <summary>H_AMOUNT, in cents.</summary>
    [Id(1)]
    public long AmountCents { get; init; }
}
