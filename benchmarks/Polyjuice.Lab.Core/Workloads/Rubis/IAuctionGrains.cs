using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Lab.Workloads.Rubis;

/// <summary>
/// A row of BIDS. Its key is given out by clients, so that it is there before the auction is touched, as in RUBiS.
/// </summary>
public interface IBidGrain : IGrainWithIntegerKey
{
    /// <summary>
    /// StoreBid: writes the row, and then the auction's highest bid, its bidder and the number of bids.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Store(AuctionBid bid);
}

/// <summary>A row of ITEMS with its index of bids.</summary>
public interface IAuctionGrain : IGrainWithIntegerKey
{
    /// <summary>StoreItem: writes the row, and adds it to the indexes of its category and its region.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Open(long seller);

    /// <summary>Takes a bid whose row has been written.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Take(AuctionBid bid);

    /// <summary>ViewItem, and ViewBidHistory.</summary>
    [Transaction(TransactionOption.CreateOrJoin), ReadOnly]
    Task<AuctionState> View();
}

/// <summary>A row of COMMENTS.</summary>
public interface ICommentGrain : IGrainWithIntegerKey
{
    /// <summary>StoreComment: writes the row, and then the rating of whom it is about.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Store(long user, int rating);
}

/// <summary>A row of USERS.</summary>
public interface IAuctionUserGrain : IGrainWithIntegerKey
{
    /// <summary>Adds a comment's rating.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Rate(int rating);

    /// <summary>ViewUserInfo: the sum of ratings.</summary>
    [Transaction(TransactionOption.CreateOrJoin), ReadOnly]
    Task<long> View();
}

/// <summary>The newest auctions of a category or a region. Keys are "category/3" and "region/5".</summary>
public interface IAuctionIndexGrain : IGrainWithStringKey
{
    /// <summary>Adds an auction.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Add(long auction);

    /// <summary>SearchItemsByCategory and SearchItemsByRegion: reads the newest, one by one.</summary>
    [Transaction(TransactionOption.CreateOrJoin), ReadOnly]
    Task<int> Search();

    /// <summary>How many have been added.</summary>
    [Transaction(TransactionOption.CreateOrJoin), ReadOnly]
    Task<long> Added();
}
