using Polyjuice.Lab.Load;
using Polyjuice.Lab.Workloads;
using Tpcc.Consistency;
using Tpcc.Loading;
using Tpcc.Schema;

namespace Tpcc.Workload;

/// <summary>TPC-C: a wholesale supplier's orders, payments and deliveries. See docs/start/tpcc.md.</summary>
public sealed class TpccWorkload : IWorkload
{
    /// <summary>How many violations of one kind a check names; the rest it counts.</summary>
    private const int NamedMax = 3;

    /// <summary>Calls under way. More would only wait in the silos' queues.</summary>
    private const int LoadConcurrency = 128;

    private readonly WorkloadParameters _parameters;
    private readonly RowChoices _choices;

    private TpccWorkload(WorkloadParameters parameters)
    {
        _parameters = parameters;
        Size = SizeOf(parameters);
        _choices = new RowChoices(Size, parameters.Seed);
        Phase = TpccPhase.Standard;
    }

    /// <summary>The workload's name and how to make one.</summary>
    public static WorkloadDefinition Definition { get; } = new(
        "tpcc", "TPC-C's five transactions in the standard mix; --warehouses, --scale",
        parameters => new TpccWorkload(parameters), ReportsTax: false)
    {
        HasPlainTwins = false,
        HasSkew = false,
        ChecksDataAlone = true,
        OperationTypes = Mix.Types,
        Describe = parameters => SizeOf(parameters).ToString(),
    };

    /// <summary>How many rows there were at first.</summary>
    public DatabaseSize Size { get; }

    /// <summary>
    /// What terminals do from now on. May be changed while they run, by any thread: each transaction is of one phase.
    /// </summary>
    public TpccPhase Phase { get; set => Volatile.Write(ref field, value); }

    /// <inheritdoc/>
    public async Task LoadAsync(WorkloadCluster cluster, WorkloadVariant variant)
    {
        var plan = LoadPlan.Of(Size, _parameters.Seed);
        var done = 0;
        await Batches.ForEachAsync(plan.Calls, LoadConcurrency, async call =>
        {
            await plan.MakeAsync(cluster.Grains, call);
            cluster.Progress((double)++done / plan.Calls);
        });
    }

    /// <inheritdoc/>
    public IWorkloadClient CreateClient(WorkloadCluster cluster, ClientSettings settings) =>
        settings.Variant == WorkloadVariant.Plain
            ? throw new NotSupportedException("TPC-C has no plain twins.")
            : new Terminal(
                cluster,
                Size,
                _choices,
                () => Phase,
                new BenchmarkRandom(settings.Seed),
                settings.Index,
                _parameters.HasThinkTimes);

    /// <inheritdoc/>
    public async Task<InvariantCheck> CheckAsync(WorkloadCluster cluster, WorkloadVariant variant)
    {
        var rows = await DatabaseReader.ReadAsync(cluster.Grains, Size, cluster.Progress);
        var violations = ConsistencyConditions.Check(rows);
        if (violations.Count == 0)
        {
            return new InvariantCheck(
                true,
                $"all {ConsistencyConditions.Count} consistency conditions hold for "
                + $"{rows.Districts.Values.Sum(d => d.Orders.Count):N0} orders and "
                + $"{rows.Districts.Values.Sum(d => d.Payments.Count):N0} payments");
        }

        var named = violations.GroupBy(violation => violation.Condition)
            .SelectMany(condition => condition.Take(NamedMax));
        return new InvariantCheck(
            false, $"{violations.Count:N0} VIOLATIONS OF CONSISTENCY: {string.Join("; ", named)}");
    }

    private static DatabaseSize SizeOf(WorkloadParameters parameters) => new(parameters.Warehouses, parameters.Scale);
}
