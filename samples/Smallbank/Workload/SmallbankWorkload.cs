using Polyjuice.Lab.Load;
using Polyjuice.Lab.Workloads;

namespace Smallbank.Workload;

/// <summary>The accounts, opened with equal balances, and one of two mixes of transactions on them.</summary>
public sealed class SmallbankWorkload : IWorkload
{
    /// <summary>What each of a customer's two accounts holds at first, in cents.</summary>
    private const long OpeningBalance = 1_000_000;

    private const int Concurrency = 64;
    private readonly WorkloadParameters _parameters;
    private readonly bool _isMultiTransfer;
    private readonly SkewedKeys _keys;
    private readonly MoneyBooks _books = new();

    private SmallbankWorkload(WorkloadParameters parameters, bool isMultiTransfer)
    {
        _parameters = parameters;
        _isMultiTransfer = isMultiTransfer;
        _keys = new SkewedKeys(parameters.Accounts, parameters.Seed);
    }

    /// <summary>The six transactions of Smallbank.</summary>
    public static WorkloadDefinition Smallbank { get; } = new(
        "smallbank", "six small transactions on checking and savings accounts, in the usual mix",
        p => new SmallbankWorkload(p, isMultiTransfer: false));

    /// <summary>One payer and four payees each time.</summary>
    public static WorkloadDefinition MultiTransfer { get; } = new(
        "multitransfer", "a withdrawal from one account and deposits to four others in parallel",
        p => new SmallbankWorkload(p, isMultiTransfer: true)) { ChecksDataAlone = true };

    /// <inheritdoc/>
    public async Task LoadAsync(WorkloadCluster cluster, WorkloadVariant variant)
    {
        var bank = Bank.Of(cluster.Grains, variant);
        await Batches.ForEachAsync(
            _parameters.Accounts, Concurrency, key => bank.Open(key, OpeningBalance, OpeningBalance));
        _books.Committed(2 * OpeningBalance * _parameters.Accounts);
    }

    /// <inheritdoc/>
    public IWorkloadClient CreateClient(WorkloadCluster cluster, ClientSettings settings)
    {
        var bank = Bank.Of(cluster.Grains, settings.Variant);
        var random = new BenchmarkRandom(settings.Seed);
        var keys = _keys.For(settings.Theta);
        return _isMultiTransfer
            ? new MultiTransferClient(bank, keys, random, _books)
            : new SmallbankClient(bank, keys, random, _books);
    }

    /// <inheritdoc/>
    public async Task<InvariantCheck> CheckAsync(WorkloadCluster cluster, WorkloadVariant variant)
    {
        var bank = Bank.Of(cluster.Grains, variant);
        var total = 0L;
        await Batches.ForEachAsync(_parameters.Accounts, Concurrency, async key =>
        {
            // Not `total += await …`: that would read the sum before the wait and lose what others added meanwhile.
            var balance = await bank.Balance(key);
            total += balance;
        });
        return _books.Check(total, cents => $"{cents / 100m:N2}");
    }
}
