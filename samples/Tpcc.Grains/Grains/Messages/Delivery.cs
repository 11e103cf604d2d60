using System.Collections.Immutable;
using Orleans;

namespace Tpcc.Grains.Messages;

/// <summary>What a user enters for a Delivery (clause 2.7.1).</summary>
[GenerateSerializer]
[Immutable]
public sealed class DeliveryRequest
{
    /// <summary>O_CARRIER_ID, 1 to 10.</summary>
    [Id(0)]
    public int CarrierId { get; init; }

    /// <summary>OL_DELIVERY_D.</summary>
    [Id(1)]
    public DateTime DeliveredAt { get; init; }
}

/// <summary>What a Delivery has done (clause 2.7.3.2).</summary>
[GenerateSerializer]
[Immutable]
public sealed class DeliveryReceipt
{
    /// <summary>By district, the order that was delivered; 0 where there was none.</summary>
    [Id(0)]
    public ImmutableArray<int> OrderIds { get; init; } = [];
}

/// <summary>An order's part in a Delivery.</summary>
[GenerateSerializer]
[Immutable]
public sealed class DeliveredOrder
{
    /// <summary>O_C_ID.</summary>
    [Id(0)]
    public int CustomerId { get; init; }

    /// <summary>The sum of OL_AMOUNT, in cents.</summary>
    [Id(1)]
    public long AmountCents { get; init; }
}
