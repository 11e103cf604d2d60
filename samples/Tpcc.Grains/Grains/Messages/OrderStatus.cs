using Orleans;
using Tpcc.Schema;

namespace Tpcc.Grains.Messages;

/// <summary>What an Order-Status shows (clause 2.6.3.3).</summary>
[GenerateSerializer]
[Immutable]
public sealed class OrderStatusReceipt
{
    /// <summary>Whose order it is.</summary>
    [Id(0)]
    public CustomerStatus Customer { get; init; } = new();

    /// <summary>The newest order, or <see langword="null"/>.</summary>
    [Id(1)]
    public OrderRow? Order { get; init; }
}

/// <summary>A customer's part in an Order-Status.</summary>
[GenerateSerializer]
[Immutable]
public sealed class CustomerStatus
{
    /// <summary>C_FIRST, C_MIDDLE, C_LAST.</summary>
    [Id(0)]
    public string Name { get; init; } = "";

    /// <summary>C_BALANCE, in cents.</summary>
    [Id(1)]
    public long BalanceCents { get; init; }

    /// <summary>O_ID of the newest order; 0 if there is none.</summary>
    [Id(2)]
    public int LastOrderId { get; init; }
}
