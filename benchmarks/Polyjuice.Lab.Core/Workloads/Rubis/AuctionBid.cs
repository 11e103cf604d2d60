using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Lab.Workloads.Rubis;

/// <summary>A bid.</summary>
/// <param name="Auction">For what.</param>
/// <param name="Bidder">By whom.</param>
/// <param name="Amount">In cents.</param>
[GenerateSerializer]
[Immutable]
public sealed record AuctionBid(
    [property: Id(0)] long Auction, [property: Id(1)] long Bidder, [property: Id(2)] long Amount);
