using System.Collections.Immutable;
using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Lab.Workloads.Tpce;

/// <summary>The input of a Trade-Order.</summary>
[GenerateSerializer]
[Immutable]
public sealed record TradeOrder
{
    /// <summary>The key of the new trade.</summary>
    [Id(0)]
    public required long Trade { get; init; }

    /// <summary>Of what.</summary>
    [Id(1)]
    public required long Security { get; init; }

    /// <summary>How many.</summary>
    [Id(2)]
    public required int Quantity { get; init; }

    /// <summary>Whether to buy, rather than to sell.</summary>
    [Id(3)]
    public required bool IsBuy { get; init; }

    /// <summary>
    /// In cents: the order waits until the market comes to this price. <see langword="null"/> for one at the market's.
    /// </summary>
    [Id(4)]
    public long? Limit { get; init; }

    /// <summary>Whether the customer thinks better of it at the end.</summary>
    [Id(5)]
    public bool IsCancelled { get; init; }
}

/// <summary>An order that waits for a price: a row of TRADE_REQUEST.</summary>
/// <param name="Trade">The trade.</param>
/// <param name="Broker">Whose.</param>
/// <param name="IsBuy">Whether to buy.</param>
/// <param name="Limit">In cents.</param>
[GenerateSerializer]
[Immutable]
public sealed record TradeRequest(
    [property: Id(0)] long Trade, [property: Id(1)] long Broker, [property: Id(2)] bool IsBuy,
    [property: Id(3)] long Limit)
{
    /// <summary>Whether a price is what it waits for.</summary>
    public bool IsMetBy(long price) => IsBuy ? price <= Limit : price >= Limit;
}

/// <summary>What an exchange says of a security.</summary>
/// <param name="Security">Which.</param>
/// <param name="Price">In cents.</param>
/// <param name="Quantity">How many were traded.</param>
[GenerateSerializer]
[Immutable]
public sealed record Tick(
    [property: Id(0)] long Security, [property: Id(1)] long Price, [property: Id(2)] int Quantity);

/// <summary>A customer thought better of an order: the standard rolls back one in a hundred.</summary>
[GenerateSerializer]
public sealed class TradeCancelledException() : Exception("The customer has cancelled the order.");
