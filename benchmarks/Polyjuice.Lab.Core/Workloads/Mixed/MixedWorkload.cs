using Orleans;
using Polyjuice.Isolation;
using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Workloads.Mixed;

/// <summary>
/// Lists, registers and money in the same transactions, which begin and go on in every way there is: calls one by one,
/// at once and within each other, of grains that are reentrant and of those that are not, with declared accesses,
/// declared to read only, run by clients, and started by the code of grains. What clients asked for and were told is
/// kept as a history, whose isolation is the invariant; so is the sum of all accounts, which transactions read all the
/// time.
/// </summary>
public sealed class MixedWorkload : IWorkload, IWorkloadEvidence
{
    /// <summary>The first of the cells that take one call at a time.</summary>
    internal const int FirstClosed = 2;

    private const int UpdatesOfList = 60;
    private const int ReadAtOnce = 16;

    // In the order of MixedCall.
    private static readonly OperationType[] _types =
    [
        new("one by one", "ICellGrain.Run"), new("parallel", "ICellGrain.Run"), new("nested", "ICellGrain.Run"),
        new("declared accesses", "IOpenCellGrain.Pay"),
        new("learned accesses", "IOpenCellGrain.Move"),
        new("declared read-only", "ICellGrain.Look"), new("client's transaction", "Client"),
        new("grain's own", "Client"),
    ];

    private readonly HistoryBuilder _history = new();
    private readonly WorkloadParameters _parameters;
    private readonly SkewedKeys _keys;
    private readonly int[] _generations;
    private readonly int[] _updates;
    private readonly List<string> _wrong = [];
    private readonly List<string> _calls = [];
    private long _lastMark;
    private long _lastOwn;
    private int _lastProcess;

    private MixedWorkload(WorkloadParameters parameters, bool hasClosed)
    {
        HasClosed = hasClosed;
        _parameters = parameters;
        _keys = new SkewedKeys(parameters.Accounts, parameters.Seed);
        (_generations, _updates) = (new int[parameters.Accounts], new int[parameters.Accounts]);
        AllAccounts =
        [
            .. Enumerable.Range(0, parameters.Accounts)
            .Select(number => new CellStep { Cell = CellOf(number), Part = CellPart.Account })
        ];
    }

    /// <summary>The workload's name and how to make one whose grains are all reentrant.</summary>
    public static WorkloadDefinition Definition { get; } = new(
        "mixed", "lists, registers and money in transactions that begin and go on in every way, checked for isolation",
        parameters => new MixedWorkload(parameters, hasClosed: false), ReportsTax: false)
    {
        HasPlainTwins = false,
        OperationTypes = _types,
    };

    /// <summary>
    /// The same with grains of which every third takes one call at a time. They are slow: who waits for a turn can't be
    /// seen to wait, so a cycle by way of it ends with a call's time.
    /// </summary>
    public static WorkloadDefinition WithTurns { get; } = new(
        "mixed-turns", "the same with grains of which every third takes one call at a time",
        parameters => new MixedWorkload(parameters, hasClosed: true), ReportsTax: false)
    {
        HasPlainTwins = false,
        OperationTypes = [.. _types, new("not reentrant", "ICellGrain.Run")],
    };

    /// <summary>What clients asked for and were told so far.</summary>
    /// <exception cref="HistoryException">Clients have done what none can.</exception>
    public History History => _history.Build();

    /// <summary>What is promised: strict serializability where clocks agree.</summary>
    public ConsistencyModel Model { get; set; } = ConsistencyModel.StrictSerializable;

    /// <summary>What an exception of a transaction says of its outcome.</summary>
    internal Func<Exception, OperationOutcome> OutcomeOf { get; set; } = Outcomes.Of<CellDeclinedException>;

    /// <summary>Reads of all accounts.</summary>
    internal CellStep[] AllAccounts { get; }

    /// <summary>Whether some cells take one call at a time.</summary>
    internal bool HasClosed { get; }

    /// <inheritdoc/>
    public Task LoadAsync(WorkloadCluster cluster, WorkloadVariant variant) => Task.CompletedTask;

    /// <inheritdoc/>
    public IWorkloadClient CreateClient(WorkloadCluster cluster, ClientSettings settings) =>
        settings.Variant == WorkloadVariant.Plain
            ? throw new NotSupportedException(
                "Cells have no plain twin: there is no isolation to check without transactions.")
            : new MixedClient(this, cluster, _keys.For(settings.Theta), new BenchmarkRandom(settings.Seed));

    /// <inheritdoc/>
    public async Task<InvariantCheck> CheckAsync(WorkloadCluster cluster, WorkloadVariant variant)
    {
        var orders = new Dictionary<HistoryKey, IReadOnlyList<long>>();
        var lists = Enumerable.Range(0, _parameters.Accounts).SelectMany(number =>
            Enumerable.Range(0, _generations[number] + 1)
                .Select(
                    generation => new CellStep
                    {
                        Cell = Cells.OfList(CellOf(number), generation), Part = CellPart.List
                    }));
        var registers = Enumerable.Range(0, _parameters.Accounts)
            .Select(number => new CellStep { Cell = CellOf(number), Part = CellPart.Register });
        foreach (var steps in lists.Concat(registers).Chunk(ReadAtOnce))
        {
            var seen = await ReadAsync(cluster, steps);
            for (var i = 0; i < steps.Length; i++)
            {
                if (steps[i].Part == CellPart.List) orders[KeyOf(steps[i])] = seen[i].Elements;
            }
        }

        await ReadAsync(cluster, AllAccounts);
        RequireAcknowledged(orders);
        return Judge(orders);
    }

    /// <summary>Judges what clients have been told so far.</summary>
    /// <param name="orders">What lists hold, for those that have been read.</param>
    internal InvariantCheck Judge(IReadOnlyDictionary<HistoryKey, IReadOnlyList<long>> orders)
    {
        var report = IsolationChecker.Check(History, new CheckOptions { Model = Model, VersionOrders = orders });
        return _wrong.Count == 0 && report.IsValid
            ? new InvariantCheck(true, $"money conserved; {report}")
            : new InvariantCheck(false, string.Join(Environment.NewLine, [.. _wrong, report.ToString()]));
    }

    internal bool IsClosed(int number) => HasClosed && number % 3 == FirstClosed;

    internal string CellOf(int number) => Cells.Name(number, IsClosed(number));

    /// <summary>
    /// Writes <c>clients.jsonl</c>, the history, and <c>calls.txt</c>:
    /// by its indices, what kind of call it was and what it has thrown.
    /// </summary>
    public void Save(string folder)
    {
        HistoryWriter.Write(Path.Combine(folder, "clients.jsonl"), _history.Build().Operations);
        File.WriteAllLines(Path.Combine(folder, "calls.txt"), _calls);
    }

    internal long NextMark() => ++_lastMark;

    /// <summary>The number of a call of <see cref="ICellGrain.RunOwn"/>.</summary>
    internal long NextOwn() => ++_lastOwn;

    /// <summary>Something about the operation that comes next in the history.</summary>
    internal void Note(string what) => _calls.Add($"{_history.Count} {what}");

    internal int NextProcess() => _lastProcess++;

    /// <summary>A read or an update of the list that a cell has at the moment.</summary>
    internal CellStep ListStep(int number, bool reads)
    {
        if (!reads && ++_updates[number] % UpdatesOfList == 0) _generations[number]++;
        return new CellStep
        {
            Cell = Cells.OfList(CellOf(number), _generations[number]),
            Part = CellPart.List,
            Mark = reads ? 0 : NextMark()
        };
    }

    internal void Invoke(int process, WorkloadCluster cluster, CellStep root) =>
        _history.Invoke(process, Now(cluster), [.. Ops(root, null)]);

    internal void Ok(int process, WorkloadCluster cluster, CellStep root, CellSight[] seen) =>
        _history.Ok(process, Now(cluster), [.. Ops(root, seen)]);

    internal void Fail(int process, WorkloadCluster cluster) => _history.Fail(process, Now(cluster));

    internal void Info(int process, WorkloadCluster cluster) => _history.Info(process, Now(cluster));

    /// <summary>Money is moved only between accounts, from balances of zero.</summary>
    internal void Sum(CellSight[] accounts)
    {
        var sum = accounts.Sum(account => account.Balance);
        if (sum != 0)
            _wrong.Add(
                "MONEY NOT CONSERVED: a transaction read "
                + $"{string.Join(" ", accounts.Select(account => account.Balance))}, which is {sum} in all and not 0");
    }

    // An update saw what it changed, so it is a read too.
    private static IEnumerable<MicroOp> Ops(CellStep root, CellSight[]? seen)
    {
        var index = 0;
        foreach (var step in root.Accesses())
        {
            var key = KeyOf(step);
            yield return seen is null ? MicroOp.Read(key) : ReadOf(key, step, seen[index++]);
            if (step.Mark != 0)
                yield return step.Part == CellPart.List
                    ? MicroOp.Append(key, step.Mark)
                    : MicroOp.Write(key, step.Mark);
        }
    }

    private static MicroOp ReadOf(HistoryKey key, CellStep step, CellSight seen) => step.Part == CellPart.List
        ? MicroOp.ReadList(key, seen.Elements)
        : MicroOp.ReadValue(key, seen.Mark == 0 ? null : seen.Mark);

    private static HistoryKey KeyOf(CellStep step) => step.Part switch
    {
        CellPart.List => $"{step.Cell}/{CellGrain.List}",
        CellPart.Register => $"{step.Cell}/{CellGrain.Register}",
        _ => $"{step.Cell}/{CellGrain.Account}",
    };

    // What the order of real time shows as well, where clocks agree.
    private void RequireAcknowledged(Dictionary<HistoryKey, IReadOnlyList<long>> orders)
    {
        var there = orders.ToDictionary(list => list.Key, list => list.Value.ToHashSet());
        foreach (var transaction in History.Transactions.Where(
            transaction => transaction.Outcome == TransactionOutcome.Committed))
        {
            foreach (var step in transaction.MicroOps.Where(
                step => step.Kind == MicroOpKind.Append && !there[step.Key].Contains(step.Value!.Value)))
                _wrong.Add($"ACKNOWLEDGED, AND NOT THERE: {step} of {transaction}");
        }
    }

    private static long Now(WorkloadCluster cluster) => (long)cluster.Time.GetElapsedTime(0).TotalNanoseconds;

    private async Task<CellSight[]> ReadAsync(WorkloadCluster cluster, CellStep[] steps)
    {
        var (process, root) = (NextProcess(), new CellStep { Cell = CellOf(0), Steps = steps });
        Invoke(process, cluster, root);
        var seen = await Cells.Of(cluster.Grains, root.Cell).Run(root);
        Ok(process, cluster, root, seen);
        if (ReferenceEquals(steps, AllAccounts)) Sum(seen);
        return seen;
    }
}
