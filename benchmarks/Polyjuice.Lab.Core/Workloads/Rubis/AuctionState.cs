using System.Collections.Immutable;
using Orleans;

namespace Polyjuice.Lab.Workloads.Rubis;

/// <summary>What an auction keeps.</summary>
[GenerateSerializer]
public sealed class AuctionState
{
    /// <summary>Bids that are listed.</summary>
    public const int TopMax = 10;

    /// <summary>Who sells.</summary>
    [Id(0)]
    public long Seller { get; set; }

    /// <summary>The highest bid; of two that are as high, the first.</summary>
    [Id(1)]
    public long Highest { get; set; }

    /// <summary>Whose it is.</summary>
    [Id(2)]
    public long Bidder { get; set; }

    /// <summary>How many there were.</summary>
    [Id(3)]
    public long Bids { get; set; }

    /// <summary>What they come to together.</summary>
    [Id(4)]
    public long Sum { get; set; }

    /// <summary>The highest bids, the highest first; replaced as a whole, so that copies share it.</summary>
    [Id(5)]
    public ImmutableArray<AuctionBid> Top { get; set; } = [];

    /// <summary>Takes a bid.</summary>
    public void Take(AuctionBid bid)
    {
        ArgumentNullException.ThrowIfNull(bid);
        Bids++;
        Sum += bid.Amount;
        if (bid.Amount > Highest) (Highest, Bidder) = (bid.Amount, bid.Bidder);
        var place = 0;
        while (place < Top.Length && Top[place].Amount >= bid.Amount) place++;
        if (place == TopMax) return;
        var longer = Top.Insert(place, bid);
        Top = longer.Length > TopMax ? longer.RemoveAt(TopMax) : longer;
    }

    /// <summary>What contradicts itself in it, or <see langword="null"/>.</summary>
    public string? Fault() =>
        Bids == 0 ? (Top.Length > 0 || Highest != 0 ? "it has no bids, and lists some" : null)
        : Top.Length != Math.Min(Bids, TopMax) ? $"of {Bids} bids, {Top.Length} are listed"
        : Top[0].Amount != Highest || Top[0].Bidder != Bidder
            ? $"its highest bid is {Highest} by {Bidder}, and the first of the list {Top[0].Amount} by {Top[0].Bidder}"
            : null;
}
