using System.Globalization;
using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Workloads.Micro;

/// <summary>
/// Ten transaction types of eight updates each: one of a small hot set, chosen with skew θ, three of a large cold set,
/// three of another, and one of a table that only the type has (the Polyjuice paper's micro-benchmark, §7.4). It is
/// hard for a policy by its number of types and sites, and for a protocol by what it does first: the hot record is held
/// for the whole of the transaction.
/// </summary>
public sealed class MicroWorkload : IWorkload
{
    /// <summary>How many types there are.</summary>
    public const int Types = 10;

    /// <summary>Records of the hot set, as in the paper.</summary>
    public const int HotRecords = 4_096;

    internal const int ColdUpdates = 3;
    internal const int SharedUpdates = 3;

    private readonly WorkloadParameters _parameters;
    private readonly SkewedKeys _hot;
    private readonly List<MicroClient> _clients = [];

    private MicroWorkload(WorkloadParameters parameters)
    {
        _parameters = parameters;
        _hot = new SkewedKeys(Math.Min(HotRecords, parameters.Accounts), parameters.Seed);
    }

    /// <summary>The catalogue's entry.</summary>
    public static WorkloadDefinition Definition { get; } = new(
        "micro", "ten types of eight updates, the first of a hot set by --theta",
        parameters => new MicroWorkload(parameters), ReportsTax: false)
    {
        HasPlainTwins = false,
        Describe = parameters => string.Create(
            CultureInfo.InvariantCulture,
            $"{Math.Min(HotRecords, parameters.Accounts):N0} hot records, {parameters.Accounts:N0} of each "
            + $"other table"),
    };

    /// <inheritdoc/>
    public Task LoadAsync(WorkloadCluster cluster, WorkloadVariant variant) => Task.CompletedTask;

    /// <inheritdoc/>
    public IWorkloadClient CreateClient(WorkloadCluster cluster, ClientSettings settings)
    {
        if (settings.Variant == WorkloadVariant.Plain)
            throw new NotSupportedException("The micro-benchmark has no plain twins.");
        var client = new MicroClient(
            cluster, _hot.For(settings.Theta), _parameters.Accounts, new BenchmarkRandom(settings.Seed));
        _clients.Add(client);
        return client;
    }

    /// <summary>
    /// Every transaction adds one to each of its eight records, or to none: the counts of the tables follow from the
    /// number of transactions, and from each other.
    /// </summary>
    public async Task<InvariantCheck> CheckAsync(WorkloadCluster cluster, WorkloadVariant variant)
    {
        var counts = new MicroCounts();
        await counts.ReadAsync(cluster, _clients);
        return counts.Check([
            .. Enumerable.Range(0, Types).Select(type => Tally.Sum(_clients.Select(client => client.Told[type])))
        ]);
    }
}
