using System.Collections.Immutable;
using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Lab.Workloads.Rubis;

/// <summary>What a row of BIDS keeps.</summary>
[GenerateSerializer]
public sealed class BidState
{
    /// <summary>The bid; <see langword="null"/> if there is none of that key.</summary>
    [Id(0)]
    public AuctionBid? Bid { get; set; }
}

/// <inheritdoc cref="IBidGrain"/>
[Reentrant]
public sealed class BidGrain([TransactionalState("bid")] ITransactionalState<BidState> row) : Grain, IBidGrain
{
    /// <inheritdoc/>
    public async Task Store(AuctionBid bid)
    {
        ArgumentNullException.ThrowIfNull(bid);
        await row.PerformUpdate(state => { state.Bid = bid; });
        await GrainFactory.GetGrain<IAuctionGrain>(bid.Auction).Take(bid);
    }
}

/// <inheritdoc cref="IAuctionGrain"/>
[Reentrant]
public sealed class AuctionGrain(
    [TransactionalState("auction")] ITransactionalState<AuctionState> auction) : Grain, IAuctionGrain
{
    /// <inheritdoc/>
    public async Task Open(long seller)
    {
        await auction.PerformUpdate(state => { state.Seller = seller; });
        var key = this.GetPrimaryKeyLong();
        await GrainFactory.GetGrain<IAuctionIndexGrain>(RubisKeys.CategoryOf(key)).Add(key);
        await GrainFactory.GetGrain<IAuctionIndexGrain>(RubisKeys.RegionOf(key)).Add(key);
    }

    /// <inheritdoc/>
    public Task Take(AuctionBid bid) => auction.PerformUpdate(state => state.Take(bid));

    /// <inheritdoc/>
    public Task<AuctionState> View() => auction.PerformRead(state => state);
}

/// <summary>What a row of COMMENTS keeps.</summary>
[GenerateSerializer]
public sealed class CommentState
{
    /// <summary>Whom it is about.</summary>
    [Id(0)]
    public long User { get; set; }

    /// <summary>How well the commenter thinks of them, 1 to 5.</summary>
    [Id(1)]
    public int Rating { get; set; }
}

/// <inheritdoc cref="ICommentGrain"/>
[Reentrant]
public sealed class CommentGrain(
    [TransactionalState("comment")] ITransactionalState<CommentState> comment) : Grain, ICommentGrain
{
    /// <inheritdoc/>
    public async Task Store(long user, int rating)
    {
        await comment.PerformUpdate(state => { (state.User, state.Rating) = (user, rating); });
        await GrainFactory.GetGrain<IAuctionUserGrain>(user).Rate(rating);
    }
}

/// <summary>What a row of USERS keeps.</summary>
[GenerateSerializer]
public sealed class AuctionUserState
{
    /// <summary>The sum of ratings.</summary>
    [Id(0)]
    public long Rating { get; set; }
}

/// <inheritdoc cref="IAuctionUserGrain"/>
[Reentrant]
public sealed class AuctionUserGrain(
    [TransactionalState("user")] ITransactionalState<AuctionUserState> user) : Grain, IAuctionUserGrain
{
    /// <inheritdoc/>
    public Task Rate(int rating) => user.PerformUpdate(state => { state.Rating += rating; });

    /// <inheritdoc/>
    public Task<long> View() => user.PerformRead(state => state.Rating);
}

/// <inheritdoc cref="IAuctionIndexGrain"/>
[Reentrant]
public sealed class AuctionIndexGrain(
    [TransactionalState("index")] ITransactionalState<NewestState> index) : Grain, IAuctionIndexGrain
{
    /// <inheritdoc/>
    public Task Add(long auction) => index.PerformUpdate(state => state.Add(auction));

    /// <inheritdoc/>
    public async Task<int> Search()
    {
        var newest = await index.PerformRead(state => state.Newest);
        return (await Task.WhenAll(newest.Select(key => GrainFactory.GetGrain<IAuctionGrain>(key).View()))).Length;
    }

    /// <inheritdoc/>
    public Task<long> Added() => index.PerformRead(state => state.Count);
}
