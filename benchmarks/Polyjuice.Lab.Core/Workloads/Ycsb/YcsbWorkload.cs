using System.Globalization;
using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Workloads.Ycsb;

/// <summary>
/// YCSB's core workloads A to F, each operation a transaction, or several in one. Records are loaded before; inserts
/// add to them. Reads are ordinary transactions, because what they cost beside writes is what is measured; scans are
/// declared read-only.
/// </summary>
public sealed class YcsbWorkload : IWorkload
{
    /// <summary>Records that a scan reads, at most.</summary>
    public const int ScanMax = 100;

    private const int LoadConcurrency = 64;

    private readonly WorkloadParameters _parameters;
    private readonly List<YcsbClient> _clients = [];

    private YcsbWorkload(WorkloadParameters parameters)
    {
        _parameters = parameters;
        Phase = new YcsbPhase(YcsbMix.Find(parameters.Mix), parameters.Operations);
        Keys = new SkewedKeys(parameters.Accounts, parameters.Seed);
        Ages = new SkewedKeys(parameters.Accounts, seed: null);
        Inserted = new YcsbInserts(parameters.Accounts);
    }

    /// <summary>The catalogue's entry.</summary>
    public static WorkloadDefinition Definition { get; } = new(
        "ycsb",
        "YCSB's core workloads; --mix a to f, --operations",
        parameters => new YcsbWorkload(parameters),
        ReportsTax: false)
    {
        HasPlainTwins = false,
        OperationTypes = OperationTypes,
        Describe = parameters => string.Create(
            CultureInfo.InvariantCulture,
            $"mix {parameters.Mix.ToUpperInvariant()} ({YcsbMix.Find(parameters.Mix).Summary}), "
            + $"{parameters.Accounts:N0} records, {parameters.Operations} "
            + $"operation{(parameters.Operations == 1 ? "" : "s")} a transaction"),
    };

    /// <summary>
    /// What is reported one by one: in the order of <see cref="YcsbAction"/>,
    /// and at last transactions of several operations.
    /// </summary>
    public static IReadOnlyList<OperationType> OperationTypes =>
        [
            .. Enum.GetNames<YcsbAction>()
            .Select(action => new OperationType(action, $"{nameof(IYcsbRecordGrain)}.{action}")),
            new("Transaction", $"{nameof(IYcsbRecordGrain)}.{nameof(IYcsbRecordGrain.Run)}")
        ];

    /// <summary>
    /// What clients do from now on. May be changed while they run, by any thread: each transaction is of one phase.
    /// </summary>
    public YcsbPhase Phase { get; set => Volatile.Write(ref field, value); }

    /// <summary>Which of the loaded records.</summary>
    internal SkewedKeys Keys { get; }

    /// <summary>How many records before the last one: the late ones are the hot ones.</summary>
    internal SkewedKeys Ages { get; }

    internal YcsbInserts Inserted { get; }

    /// <inheritdoc/>
    public async Task LoadAsync(WorkloadCluster cluster, WorkloadVariant variant)
    {
        var done = 0;
        await Batches.ForEachAsync(_parameters.Accounts, LoadConcurrency, async key =>
        {
            await cluster.Grains.GetGrain<IYcsbRecordGrain>(key).Insert();
            cluster.Progress((double)++done / _parameters.Accounts);
        });
    }

    /// <inheritdoc/>
    public IWorkloadClient CreateClient(WorkloadCluster cluster, ClientSettings settings)
    {
        if (settings.Variant == WorkloadVariant.Plain) throw new NotSupportedException("YCSB has no plain twins.");
        var client = new YcsbClient(this, cluster, settings.Theta, new BenchmarkRandom(settings.Seed));
        _clients.Add(client);
        return client;
    }

    /// <summary>
    /// Fields were overwritten as often as clients were told, and
    /// hold what was written last; what was inserted is there.
    /// </summary>
    public async Task<InvariantCheck> CheckAsync(WorkloadCluster cluster, WorkloadVariant variant)
    {
        var check = new YcsbCheck();
        await check.ReadAsync(cluster, Inserted.Count);
        return check.Judge(Tally.Sum(_clients.Select(client => client.Updates)), Inserted);
    }
}
