using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Workloads.Rubis;

/// <summary>Draws transactions, makes them, and keeps books of what it was told.</summary>
/// <param name="number">Different for each client of a workload's life: keys of new rows are made of it.</param>
/// <param name="cluster">Where.</param>
/// <param name="mix">What.</param>
/// <param name="auctions">Which auctions are looked at and bid for.</param>
/// <param name="users">How many there are.</param>
/// <param name="random">The client's own choices.</param>
internal sealed class RubisClient(
    int number, WorkloadCluster cluster, RubisMix mix, ZipfianGenerator auctions, int users,
    BenchmarkRandom random) : IWorkloadClient
{
    private const int RatingMax = 5;
    private const int AmountMax = 1_000_000;

    // Keys of new rows lie above those of loaded ones, and those of each client apart.
    private long _next = (number + 1L) << 32;

    public Dictionary<long, (Tally Count, Tally Sum)> Bids { get; } = [];

    public Tally Ratings { get; } = new();

    public HashSet<long> Rated { get; } = [];

    public Tally Opened { get; } = new();

    public Task<OperationOutcome> RunOneAsync() => Choose().RunAsync();

    public WorkloadOperation Choose()
    {
        var type = mix.Choose(random);
        long auction = auctions.Next(random);
        long user = random.Next(users);
        return type switch
        {
            RubisMix.StoreBid => new(type, () => BidAsync(new AuctionBid(auction, user, 1 + random.Next(AmountMax)))),
            RubisMix.StoreComment => new(type, () => CommentAsync(user, 1 + random.Next(RatingMax))),
            RubisMix.StoreItem => new(type, () => OpenAsync(user)),
            RubisMix.ViewItem =>
                new(type, () => Outcomes.OfAsync(cluster.Grains.GetGrain<IAuctionGrain>(auction).View())),
            RubisMix.ViewUser =>
                new(type, () => Outcomes.OfAsync(cluster.Grains.GetGrain<IAuctionUserGrain>(user).View())),
            RubisMix.SearchCategory => new(
                type,
                () => Outcomes.OfAsync(
                    cluster.Grains.GetGrain<IAuctionIndexGrain>(
                        RubisKeys.Category(random.Next(RubisKeys.Categories)))
                        .Search())),
            _ => new(
                type,
                () => Outcomes.OfAsync(
                    cluster.Grains.GetGrain<IAuctionIndexGrain>(RubisKeys.Region(random.Next(RubisKeys.Regions)))
                        .Search())),
        };
    }

    private async Task<OperationOutcome> BidAsync(AuctionBid bid)
    {
        if (!Bids.TryGetValue(bid.Auction, out var books)) Bids.Add(bid.Auction, books = (new(), new()));
        var outcome = await Outcomes.OfAsync(cluster.Grains.GetGrain<IBidGrain>(_next++).Store(bid));
        books.Count.Book(outcome);
        books.Sum.Book(outcome, bid.Amount);
        return outcome;
    }

    private async Task<OperationOutcome> CommentAsync(long user, int rating)
    {
        Rated.Add(user);
        var outcome = await Outcomes.OfAsync(cluster.Grains.GetGrain<ICommentGrain>(_next++).Store(user, rating));
        Ratings.Book(outcome, rating);
        return outcome;
    }

    private async Task<OperationOutcome> OpenAsync(long seller)
    {
        var outcome = await Outcomes.OfAsync(cluster.Grains.GetGrain<IAuctionGrain>(_next++).Open(seller));
        Opened.Book(outcome);
        return outcome;
    }
}
