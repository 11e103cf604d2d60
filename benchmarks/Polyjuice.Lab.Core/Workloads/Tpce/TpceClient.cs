using System.Collections.Immutable;
using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Workloads.Tpce;

/// <summary>Draws transactions, makes them, and keeps books of what it was told.</summary>
/// <param name="number">Different for each client of a workload's life: keys of trades are made of it.</param>
/// <param name="cluster">Where.</param>
/// <param name="securities">Which securities are traded.</param>
/// <param name="accounts">How many there are.</param>
/// <param name="random">The client's own choices.</param>
internal sealed class TpceClient(
    int number, WorkloadCluster cluster, ZipfianGenerator securities, int accounts,
    BenchmarkRandom random) : IWorkloadClient
{
    public const int Order = 0;
    public const int Update = 1;
    public const int Feed = 2;

    /// <summary>Securities of a Market-Feed, and trades of a Trade-Update.</summary>
    private const int Length = 20;
    private const int CancelledPercent = 1;
    private const int LimitPercent = 40;
    private const int QuantityMax = 800;

    /// <summary>How far a limit or a price may be from the first price, in cents.</summary>
    private const int PriceRange = 10_00;

    /// <summary>Of the standard's mix, in thousandths of these three: 10.1, 2 and 1 in a hundred.</summary>
    private const int OrderShare = 771;
    private const int UpdateShare = 153;

    private readonly List<long> _trades = [];
    private long _next = (number + 1L) << 32;

    public Tally Orders { get; } = new();

    public Tally Limits { get; } = new();

    public Tally Updates { get; } = new();

    public Tally Volume { get; } = new();

    public HashSet<long> Accounts { get; } = [];

    public HashSet<long> Securities { get; } = [];

    /// <summary>Trades that are there.</summary>
    public IReadOnlyList<long> Trades => _trades;

    /// <summary>Trades that may be there.</summary>
    public List<long> TradesInDoubt { get; } = [];

    public Task<OperationOutcome> RunOneAsync() => Choose().RunAsync();

    public WorkloadOperation Choose()
    {
        var draw = random.Next(1_000);
        return draw < OrderShare
            ? new(Order, OrderAsync)
            : draw < OrderShare + UpdateShare ? new(Update, UpdateAsync) : new(Feed, FeedAsync);
    }

    private async Task<OperationOutcome> OrderAsync()
    {
        var (account, security, isBuy, isLimit) =
            (random.Next(accounts), securities.Next(random), random.Next(2) == 0, random.Next(100) < LimitPercent);
        var order = new TradeOrder
        {
            Trade = _next++, Security = security, Quantity = 1 + random.Next(QuantityMax), IsBuy = isBuy,
            IsCancelled = random.Next(100) < CancelledPercent,
            // Somewhat better than the first price: feeds come there now and then.
            Limit = isLimit ? TpceKeys.FirstPrice + ((isBuy ? -1 : 1) * random.Next(PriceRange)) : null,
        };
        Accounts.Add(account);
        Securities.Add(security);
        var outcome = await Outcomes.OfAsync<TradeCancelledException>(
            cluster.Grains.GetGrain<ITradingAccountGrain>(account).Order(order));
        if (outcome == OperationOutcome.Committed) _trades.Add(order.Trade);
        else if (outcome == OperationOutcome.InDoubt) TradesInDoubt.Add(order.Trade);
        Orders.Book(outcome);
        if (isLimit) Limits.Book(outcome);
        return outcome;
    }

    private async Task<OperationOutcome> UpdateAsync()
    {
        var updated = 0;
        var outcome = await Outcomes.OfAsync(UpdateSomeAsync());
        // Of one that is in doubt nobody knows how many trades it had found.
        Updates.Book(outcome, outcome == OperationOutcome.Committed ? updated : Length);
        return outcome;

        async Task UpdateSomeAsync() => updated = await (random.Next(3) switch
        {
            0 when _trades.Count > 0 => Newest() is var newest
                ? cluster.Grains.GetGrain<ITradeGrain>(newest[0]).UpdateExecutors(newest[1..])
                : Task.FromResult(0),
            1 => cluster.Grains.GetGrain<ITradingAccountGrain>(random.Next(accounts)).UpdateSettlements(),
            _ => cluster.Grains.GetGrain<ISecurityGrain>(securities.Next(random)).UpdateCash(),
        });
    }

    private ImmutableArray<long> Newest() => [.. _trades.Skip(Math.Max(0, _trades.Count - Length))];

    private async Task<OperationOutcome> FeedAsync()
    {
        var chosen = new long[Math.Min(Length, securities.Items)];
        securities.NextDistinct(random, chosen);
        ImmutableArray<Tick> ticks =
        [
            .. chosen.Select(
                security => new Tick(
                    security,
                    TpceKeys.FirstPrice + random.Next(2 * PriceRange) - PriceRange,
                    1 + random.Next(QuantityMax)))
        ];
        Securities.UnionWith(chosen);
        var outcome = await Outcomes.OfAsync(cluster.Grains.GetGrain<IMarketGrain>(number).Feed(ticks));
        Volume.Book(outcome, ticks.Sum(tick => (long)tick.Quantity));
        return outcome;
    }
}
