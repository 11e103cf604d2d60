using System.Collections.Immutable;
using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Lab.Workloads.Tpce;

/// <summary>A row of CUSTOMER_ACCOUNT, with its HOLDING_SUMMARYs and an index of its trades.</summary>
public interface ITradingAccountGrain : IGrainWithIntegerKey
{
    /// <summary>
    /// Trade-Order: looks up who orders, what it costs and what it is worth,
    /// and enters the trade, into a security's requests if it has a limit.
    /// </summary>
    /// <exception cref="TradeCancelledException">It was cancelled at the end, and has had no effect.</exception>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Order(TradeOrder order);

    /// <summary>
    /// Trade-Update, frame 2: the settlements of the account's newest trades. Answers how many there were.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> UpdateSettlements();

    /// <summary>How many trades there were.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> Trades();
}

/// <summary>A row of CUSTOMER, with the tax rates that apply.</summary>
public interface ITradingCustomerGrain : IGrainWithIntegerKey
{
    /// <summary>The tier, 1 to 3.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> Tier();
}

/// <summary>A row of BROKER, with how many requests wait that are the broker's.</summary>
public interface IBrokerGrain : IGrainWithIntegerKey
{
    /// <summary>The commission rate for a tier, in hundredths of a percent.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> Commission(int tier);

    /// <summary>Adds to the requests that wait.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Wait(int requests);

    /// <summary>Requests that wait.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> Waiting();
}

/// <summary>
/// A row of SECURITY with its LAST_TRADE, the requests that wait for a price of it, and an index of its trades.
/// </summary>
public interface ISecurityGrain : IGrainWithIntegerKey
{
    /// <summary>The security's name.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<string> Name();

    /// <summary>The last price, in cents.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> Price();

    /// <summary>Enters a trade into the index.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Enter(long trade);

    /// <summary>Enters a request.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Request(TradeRequest request);

    /// <summary>A part of Market-Feed: takes a price, and the requests that have waited for it.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Take(Tick tick);

    /// <summary>
    /// Trade-Update, frame 3: the cash transactions of the security's newest trades. Answers how many there were.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> UpdateCash();

    /// <summary>What has happened.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<SecurityTotals> Totals();
}

/// <summary>A row of TRADE with its TRADE_HISTORY, SETTLEMENT and CASH_TRANSACTION.</summary>
public interface ITradeGrain : IGrainWithIntegerKey
{
    /// <summary>Writes the rows.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Insert(long account, TradeOrder order, long charge);

    /// <summary>The market has come to the limit.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Submit();

    /// <summary>Trade-Update, frame 1: the executor of this trade and of others. Answers how many there were.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> UpdateExecutors(ImmutableArray<long> others);

    /// <summary>Overwrites the executor, and reads the rest.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task UpdateExecutor();

    /// <summary>Overwrites how it was settled, having read the trade.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task UpdateSettlement();

    /// <summary>Overwrites the text of the cash transaction, having read the trade and its settlement.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task UpdateCash();

    /// <summary>How often anything of it was overwritten, if it is there; otherwise -1.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> Updates();
}

/// <summary>A place that market data comes from.</summary>
public interface IMarketGrain : IGrainWithIntegerKey
{
    /// <summary>Market-Feed: prices of some securities, one after the other in one transaction.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Feed(ImmutableArray<Tick> ticks);
}

/// <summary>What has happened to a security.</summary>
[GenerateSerializer]
[Immutable]
public sealed record SecurityTotals
{
    /// <summary>Trades entered.</summary>
    [Id(0)]
    public long Trades { get; init; }

    /// <summary>Quantities that exchanges have reported.</summary>
    [Id(1)]
    public long Volume { get; init; }

    /// <summary>Requests that wait.</summary>
    [Id(2)]
    public long Waiting { get; init; }

    /// <summary>Requests that have been met.</summary>
    [Id(3)]
    public long Met { get; init; }
}
