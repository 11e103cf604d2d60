using System.Globalization;
using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Workloads.Tpce;

/// <summary>
/// The part of TPC-E that the Polyjuice paper measures (§7.4): Trade-Order, Trade-Update and Market-Feed, in the
/// standard's proportions, with securities chosen by skew. Every order updates its security's index of trades, and a
/// feed the last prices of twenty: that is where transactions meet.
/// Tables that are only read, and are the same for all, are in the code.
/// </summary>
public sealed class TpceWorkload : IWorkload
{
    private const int Concurrency = 64;
    private readonly WorkloadParameters _parameters;
    private readonly SkewedKeys _securities;
    private readonly List<TpceClient> _clients = [];

    private TpceWorkload(WorkloadParameters parameters)
    {
        _parameters = parameters;
        _securities = new SkewedKeys(parameters.Accounts, parameters.Seed);
    }

    /// <summary>The catalogue's entry.</summary>
    public static WorkloadDefinition Definition { get; } = new(
        "tpce",
        "TPC-E's Trade-Order, Trade-Update and Market-Feed, securities by --theta",
        parameters => new TpceWorkload(parameters),
        ReportsTax: false)
    {
        HasPlainTwins = false,
        // A Trade-Update begins at one of three places, of which the attempts of one are counted.
        OperationTypes =
        [
            new("TradeOrder", $"{nameof(ITradingAccountGrain)}.{nameof(ITradingAccountGrain.Order)}"),
            new("TradeUpdate", $"{nameof(ITradingAccountGrain)}.{nameof(ITradingAccountGrain.UpdateSettlements)}"),
            new("MarketFeed", $"{nameof(IMarketGrain)}.{nameof(IMarketGrain.Feed)}"),
        ],
        Describe = parameters => string.Create(
            CultureInfo.InvariantCulture, $"{parameters.Accounts:N0} securities and as many accounts"),
    };

    /// <summary>There are no trades at first, and all else follows from keys.</summary>
    public Task LoadAsync(WorkloadCluster cluster, WorkloadVariant variant) => Task.CompletedTask;

    /// <inheritdoc/>
    public IWorkloadClient CreateClient(WorkloadCluster cluster, ClientSettings settings)
    {
        var client = new TpceClient(
            _clients.Count,
            cluster,
            _securities.For(settings.Theta),
            _parameters.Accounts,
            new BenchmarkRandom(settings.Seed));
        _clients.Add(client);
        return client;
    }

    /// <summary>
    /// Trades, requests, updates and volumes are those that clients were told of, and everyone who counts them agrees.
    /// </summary>
    public async Task<InvariantCheck> CheckAsync(WorkloadCluster cluster, WorkloadVariant variant)
    {
        var (trades, volume, waiting, met, missing, updates) = (0L, 0L, 0L, 0L, 0L, 0L);
        var securities = _clients.SelectMany(client => client.Securities).Distinct().ToList();
        await Batches.ForEachAsync(securities.Count, Concurrency, async i =>
        {
            var totals = await cluster.Grains.GetGrain<ISecurityGrain>(securities[i]).Totals();
            (trades, volume, waiting, met) =
                (trades + totals.Trades, volume + totals.Volume, waiting + totals.Waiting, met + totals.Met);
        });
        var accounts = _clients.SelectMany(client => client.Accounts).Distinct().ToList();
        var told = _clients.SelectMany(client => client.Trades).ToHashSet();
        var known = told.Concat(_clients.SelectMany(client => client.TradesInDoubt)).ToList();
        await Batches.ForEachAsync(known.Count, Concurrency, async i =>
        {
            var found = await cluster.Grains.GetGrain<ITradeGrain>(known[i]).Updates();
            if (found >= 0) updates += found;
            else if (told.Contains(known[i])) missing++;
        });
        return new TpceTotals
        {
            BySecurities = trades, Volume = volume, Waiting = waiting, Met = met, Missing = missing, Updates = updates,
            ByAccounts = await Batches.SumAsync(
                accounts, Concurrency, account => cluster.Grains.GetGrain<ITradingAccountGrain>(account).Trades()),
            WaitingByBrokers = await Batches.SumAsync(
                accounts.Select(TpceKeys.BrokerOf),
                Concurrency,
                broker => cluster.Grains.GetGrain<IBrokerGrain>(broker).Waiting()),
        }.Judge(
            Sum(client => client.Orders),
            Sum(client => client.Limits),
            Sum(client => client.Updates),
            Sum(client => client.Volume));

        Tally Sum(Func<TpceClient, Tally> tally) => Tally.Sum(_clients.Select(tally));
    }
}
