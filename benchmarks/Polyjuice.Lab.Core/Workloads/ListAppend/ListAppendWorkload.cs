using Polyjuice.Lab.Load;
using Polyjuice.Isolation;

namespace Polyjuice.Lab.Workloads.ListAppend;

/// <summary>
/// Appends to and reads of a few lists, several in one transaction. What clients asked for and were told is kept as a
/// history, whose isolation is the invariant. For runs of some thousand transactions: lists only grow.
/// </summary>
public sealed class ListAppendWorkload : IWorkload, IWorkloadEvidence
{
    private readonly HistoryBuilder _history = new();
    private readonly WorkloadParameters _parameters;
    private readonly SkewedKeys _keys;
    private long _lastElement;
    private int _lastProcess;

    private ListAppendWorkload(WorkloadParameters parameters)
    {
        _parameters = parameters;
        _keys = new SkewedKeys(parameters.Accounts, parameters.Seed);
    }

    /// <summary>The workload's name and how to make one.</summary>
    public static WorkloadDefinition Definition { get; } = new(
        "listappend", "appends to and reads of a few lists in one transaction, checked for isolation",
        parameters => new ListAppendWorkload(parameters), ReportsTax: false);

    /// <summary>What clients asked for and were told so far.</summary>
    /// <exception cref="HistoryException">Clients have done what none can.</exception>
    public History History => _history.Build();

    /// <summary>What is promised: strict serializability where clocks agree.</summary>
    public ConsistencyModel Model { get; set; } = ConsistencyModel.StrictSerializable;

    /// <inheritdoc/>
    public Task LoadAsync(WorkloadCluster cluster, WorkloadVariant variant) => Task.CompletedTask;

    /// <inheritdoc/>
    public IWorkloadClient CreateClient(WorkloadCluster cluster, ClientSettings settings) =>
        settings.Variant == WorkloadVariant.Plain
            ? throw new NotSupportedException(
                "Lists have no plain twin: there is no isolation to check without transactions.")
            : new ListAppendClient(this, cluster, _keys.For(settings.Theta), new BenchmarkRandom(settings.Seed));

    /// <inheritdoc/>
    public async Task<InvariantCheck> CheckAsync(WorkloadCluster cluster, WorkloadVariant variant)
    {
        var orders = new Dictionary<HistoryKey, IReadOnlyList<long>>();
        for (var list = 0L; list < _parameters.Accounts; list++)
        {
            var process = NextProcess();
            Invoke(process, cluster, [MicroOp.Read(list)]);
            var elements = await cluster.Grains.GetGrain<IListGrain>(list).Read();
            Ok(process, cluster, [MicroOp.ReadList(list, elements)]);
            orders[list] = elements;
        }

        var report = IsolationChecker.Check(History, new CheckOptions { Model = Model, VersionOrders = orders });
        return new InvariantCheck(report.IsValid, report.ToString());
    }

    /// <summary>Writes <c>clients.jsonl</c>, the history.</summary>
    public void Save(string folder) =>
        HistoryWriter.Write(Path.Combine(folder, "clients.jsonl"), _history.Build().Operations);

    internal long NextElement() => ++_lastElement;

    internal int NextProcess() => _lastProcess++;

    internal void Invoke(int process, WorkloadCluster cluster, IReadOnlyList<MicroOp> steps) =>
        _history.Invoke(process, Now(cluster), steps);

    internal void Ok(int process, WorkloadCluster cluster, IReadOnlyList<MicroOp> steps) =>
        _history.Ok(process, Now(cluster), steps);

    internal void Fail(int process, WorkloadCluster cluster) => _history.Fail(process, Now(cluster));

    internal void Info(int process, WorkloadCluster cluster) => _history.Info(process, Now(cluster));

    private static long Now(WorkloadCluster cluster) => (long)cluster.Time.GetElapsedTime(0).TotalNanoseconds;
}
