using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Workloads.House;

/// <summary>
/// Customers pay each other at houses, whose fee and turnover all payments there update, or without one. What a house's
/// purses need (hand on the fee at once, wait at the turnover) is wrong at customers' purses, which built-in tables
/// take for the same. What clients do may change while they run.
/// </summary>
public sealed class HouseWorkload : IWorkload
{
    /// <summary>Houses, of which a phase uses the first ones.</summary>
    public const int HousesMax = 64;

    /// <summary>What is paid or moved.</summary>
    public const long Amount = 10;

    /// <summary>Of a payment, the house's.</summary>
    public const long Fee = 1;

    private const int Concurrency = 64;

    private readonly int _customers;
    private readonly MoneyBooks _books = new();

    private HouseWorkload(WorkloadParameters parameters)
    {
        _customers = parameters.Accounts;
        Keys = new SkewedKeys(_customers, parameters.Seed);
    }

    /// <summary>The catalogue's entry.</summary>
    public static WorkloadDefinition Definition { get; } = new("house",
        "payments at houses whose purses all of them update, and transfers between customers", parameters =>
        new HouseWorkload(parameters), ReportsTax: false)
    {
        HasPlainTwins = false,
        HasSkew = false,
        OperationTypes = [new("Pay", $"{nameof(IHouseDeskGrain)}.{nameof(IHouseDeskGrain.Pay)}"),
            new("Move", $"{nameof(IHouseDeskGrain)}.{nameof(IHouseDeskGrain.Move)}")],
        Describe = parameters => FormattableString.Invariant($"{parameters.Accounts:N0} customers"),
    };

    /// <summary>What clients do from now on. May be changed while they run, by any thread.</summary>
    public HousePhase Phase { get; set => Volatile.Write(ref field, value); } = new(50, 1, 0);

    internal int Customers => _customers;

    internal SkewedKeys Keys { get; }

    internal MoneyBooks Books => _books;

    /// <summary>The purse for a house's fees.</summary>
    internal static long FeesOf(long house) => -1 - (2 * house);

    /// <summary>The purse for its turnover.</summary>
    internal static long TurnoverOf(long house) => -2 - (2 * house);

    /// <inheritdoc/>
    public async Task LoadAsync(WorkloadCluster cluster, WorkloadVariant variant)
    {
        var done = 0;
        await Batches.ForEachAsync(_customers, Concurrency, async key =>
        {
            await cluster.Grains.GetGrain<IHousePurseGrain>(key).Put(0);
            cluster.Progress((double)++done / _customers);
        });
    }

    /// <inheritdoc/>
    public IWorkloadClient CreateClient(WorkloadCluster cluster, ClientSettings settings) =>
        settings.Variant == WorkloadVariant.Plain
        ? throw new NotSupportedException("There are no plain twins.")
        : new HouseClient(this, cluster, new BenchmarkRandom(settings.Seed));

    /// <summary>Money is conserved: each payment adds its amount to a turnover, and nothing else makes any.</summary>
    public async Task<InvariantCheck> CheckAsync(WorkloadCluster cluster, WorkloadVariant variant)
    {
        var total = 0L;
        await Batches.ForEachAsync(_customers + (2 * HousesMax), Concurrency, async i =>
        {
            // Not `total += await …`: that would read the sum before the wait and lose what others added meanwhile.
            var amount = await cluster.Grains.GetGrain<IHousePurseGrain>(i - (2 * HousesMax)).Count();
            total += amount;
        });
        return _books.Check(total, amount => FormattableString.Invariant($"{amount:N0}"));
    }
}
