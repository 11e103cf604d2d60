using System.Collections.Immutable;
using Orleans;

namespace Tpcc.Grains.Messages;

/// <summary>What a user enters for a New-Order (clause 2.4.1).</summary>
[GenerateSerializer]
[Immutable]
public sealed class NewOrderRequest
{
    /// <summary>C_ID, of the district that the order is made at.</summary>
    [Id(0)]
    public int CustomerId { get; init; }

    /// <summary>5 to 15 lines.</summary>
    [Id(1)]
    public ImmutableArray<NewOrderLine> Lines { get; init; } = [];

    /// <summary>O_ENTRY_D. Part of the request, because a body that runs twice must do the same twice.</summary>
    [Id(2)]
    public DateTime EnteredAt { get; init; }
}

/// <summary>One line of it.</summary>
[GenerateSerializer]
[Immutable]
public sealed class NewOrderLine
{
    /// <summary>OL_I_ID.</summary>
    [Id(0)]
    public int ItemId { get; init; }

    /// <summary>OL_SUPPLY_W_ID.</summary>
    [Id(1)]
    public int SupplyWarehouse { get; init; }

    /// <summary>OL_QUANTITY.</summary>
    [Id(2)]
    public int Quantity { get; init; }
}
