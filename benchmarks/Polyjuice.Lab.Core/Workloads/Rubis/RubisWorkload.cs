using System.Globalization;
using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Workloads.Rubis;

/// <summary>
/// RUBiS, an auction site, as Doppel's evaluation has it (Narula's thesis, §6.1 and §7.8): the transactions that write,
/// and those that look at what they have written. Bids read what they change, as in RUBiS itself: here nothing is told
/// to commute. Looking is declared read-only.
/// </summary>
public sealed class RubisWorkload : IWorkload
{
    private const int Concurrency = 64;
    private const int NamedMax = 3;
    private readonly WorkloadParameters _parameters;
    private readonly RubisMix _mix;
    private readonly SkewedKeys _auctions;
    private readonly List<RubisClient> _clients = [];

    private RubisWorkload(WorkloadParameters parameters, RubisMix mix)
    {
        _parameters = parameters;
        _mix = mix;
        _auctions = new SkewedKeys(parameters.Accounts, parameters.Seed);
    }

    /// <summary>RUBiS-B: 15 of a hundred transactions write.</summary>
    public static WorkloadDefinition Bidding { get; } = Define(
        "rubis-b", "RUBiS's auctions in the bidding mix, 85% looking", RubisMix.Bidding);

    /// <summary>RUBiS-C: half of them are bids.</summary>
    public static WorkloadDefinition Contended { get; } = Define(
        "rubis-c", "the same, half of it bids, on auctions by --theta", RubisMix.Contended);

    /// <summary>Auctions are what they are when nobody has bid: there is nothing to load.</summary>
    public Task LoadAsync(WorkloadCluster cluster, WorkloadVariant variant) => Task.CompletedTask;

    /// <inheritdoc/>
    public IWorkloadClient CreateClient(WorkloadCluster cluster, ClientSettings settings)
    {
        var client = new RubisClient(
            _clients.Count,
            cluster,
            _mix,
            _auctions.For(settings.Theta),
            _parameters.Accounts,
            new BenchmarkRandom(settings.Seed));
        _clients.Add(client);
        return client;
    }

    /// <summary>
    /// Every auction has the bids that clients were told of, and lists the highest;
    /// ratings and both kinds of indexes agree with what clients were told.
    /// </summary>
    public async Task<InvariantCheck> CheckAsync(WorkloadCluster cluster, WorkloadVariant variant)
    {
        var wrong = new List<string>();
        var bids = 0L;
        var auctions = _clients.SelectMany(client => client.Bids).ToLookup(entry => entry.Key, entry => entry.Value);
        var keys = auctions.Select(auction => auction.Key).ToList();
        await Batches.ForEachAsync(keys.Count, Concurrency, async i =>
        {
            var state = await cluster.Grains.GetGrain<IAuctionGrain>(keys[i]).View();
            bids += state.Bids;
            Judge(
                keys[i],
                state,
                Tally.Sum(auctions[keys[i]].Select(books => books.Count)),
                Tally.Sum(auctions[keys[i]].Select(books => books.Sum)),
                wrong);
        });
        var ratings = await Batches.SumAsync(
            _clients.SelectMany(client => client.Rated),
            Concurrency,
            user => cluster.Grains.GetGrain<IAuctionUserGrain>(user).View());
        Tally.Sum(_clients.Select(client => client.Ratings)).Compare("ratings of all users", ratings, wrong);
        var opened = Tally.Sum(_clients.Select(client => client.Opened));
        opened.Compare("auctions in all categories", await AddedAsync(cluster, RubisKeys.AllCategories), wrong);
        opened.Compare("auctions in all regions", await AddedAsync(cluster, RubisKeys.AllRegions), wrong);
        return wrong.Count == 0
            ? new InvariantCheck(
                true,
                FormattableString.Invariant(
                    $"auctions hold the {bids:N0} bids that clients were told of, and ratings and indexes agree"))
            : new InvariantCheck(
                false, $"AUCTIONS ARE WRONG, in {wrong.Count:N0} places: {string.Join("; ", wrong.Take(NamedMax))}");
    }

    internal static void Judge(long auction, AuctionState state, Tally count, Tally sum, ICollection<string> wrong)
    {
        if (state.Fault() is { } fault) wrong.Add(FormattableString.Invariant($"auction {auction}: {fault}"));
        count.Compare(FormattableString.Invariant($"bids of auction {auction}"), state.Bids, wrong);
        sum.Compare(FormattableString.Invariant($"cents bid for auction {auction}"), state.Sum, wrong);
    }

    private static Task<long> AddedAsync(WorkloadCluster cluster, IEnumerable<string> indexes) =>
        Batches.SumAsync(indexes, Concurrency, index => cluster.Grains.GetGrain<IAuctionIndexGrain>(index).Added());

    private static WorkloadDefinition Define(
        string name, string summary,
        RubisMix mix) => new(name, summary, parameters => new RubisWorkload(parameters, mix), ReportsTax: false)
    {
        HasPlainTwins = false,
        OperationTypes = RubisMix.Types,
        Describe = parameters => string.Create(
            CultureInfo.InvariantCulture, $"{parameters.Accounts:N0} auctions and as many users"),
    };
}
