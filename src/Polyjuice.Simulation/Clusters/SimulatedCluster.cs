using Polyjuice.Contracts;
using Polyjuice.Simulation.Coverage;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Specification.Tracing;
using Polyjuice.Simulation.Storage;
using Polyjuice.Storage;
using Polyjuice.Waits;

namespace Polyjuice.Simulation.Clusters;

/// <summary>
/// Engines on one seeded event loop with virtual time: nodes, the network between them, the logs beneath them, and the
/// part of a host that decides who owns a partition. The same shape and seed give the same run, event for event.
/// </summary>
internal sealed partial class SimulatedCluster : IDisposable
{
    /// <summary>Virtual time 0 as a wall clock shows it.</summary>
    public const long Epoch = 1_750_000_000_000_000;

    private const long StewardPeriod = 5_000;

    private readonly SimulationRandom _random;
    private readonly Dictionary<NodeId, SimulatedNode> _nodes = [];
    private readonly NodeId[] _owners;
    private readonly bool[] _served;
    private readonly RowTap[] _taps = [];
    private readonly ClientDriver _driver;
    private readonly List<TransactionRecord> _records = [];
    private readonly List<string> _trace = [];
    private SimulatedNode[]? _alive;
    private long _lastNode;

    public SimulatedCluster(ClusterShape shape, ulong seed)
    {
        Shape = shape;
        Seed = seed;
        Faults = new FaultLedger { Budget = shape.FaultBudget };
        Loop = new EventLoop();
        _random = new SimulationRandom(seed);
        var storage = shape.StorageSeed is { } ofStorage ? new SimulationRandom(ofStorage) : _random;
        var network = shape.NetworkSeed is { } ofNetwork ? new SimulationRandom(ofNetwork) : _random;
        Storage = shape.MakeStorage?.Invoke(Loop, storage.Fork(1), Faults)
            ?? new SimulatedLogs(Loop, storage.Fork(1), shape.Partitions, Faults)
            {
                Profile = shape.Storage, AppendsUnderWay = shape.AppendsUnderWay, Written = HearAppend,
                Interrupted = CoverInterrupted
            };
        if (shape.Monitors && Storage is SimulatedLogs) Proofs = new ProofMonitor();
        Agreement = new AgreementMonitor(Proofs);
        if (shape is { Monitors: true, Specified: true } && Storage is SimulatedLogs)
            Protocol = new ProtocolTrace(this);
        Network = new SimulatedNetwork(Loop, network.Fork(2), id => _nodes.GetValueOrDefault(id), Faults)
        {
            Profile = shape.Network, Lost = message => Coverage.Lost(message.Kinds)
        };
        _driver = new ClientDriver(this);
        Codec = new AccountCodec(shape.OpeningBalance);
        Accounts = new AccountUnits(shape);
        Deaths = new ClusterDeaths(this, _random);
        _owners = new NodeId[Accounts.Count];
        _served = new bool[Accounts.Count];
        if (Accounts.InRows.Count == 0) return;
        Rows = new SimulatedRows(Loop, storage.Fork(3), Faults)
        {
            Profile = shape.Storage, Split = shape.Storage.ErrorAfter > 0 ? 0.3 : 0, Written = HearRow
        };
        _taps = [.. Accounts.InRows.Select(account => new RowTap(Accounts.KeyOf(account), Codec))];
    }

    public ClusterShape Shape { get; }

    public ulong Seed { get; }

    public EventLoop Loop { get; }

    public ISimulatedStorage Storage { get; }

    /// <summary>Where the accounts are that are not in logs.</summary>
    public SimulatedRows? Rows { get; }

    /// <summary>Where the accounts are, and so all that somebody owns.</summary>
    public AccountUnits Accounts { get; }

    /// <summary>The storage, when it is the plain one.</summary>
    public SimulatedLogs Logs => (SimulatedLogs)Storage;

    public SimulatedNetwork Network { get; }

    public AccountCodec Codec { get; }

    /// <summary>Who is declared dead, and whether it is.</summary>
    public ClusterDeaths Deaths { get; }

    /// <summary>What final steps ask.</summary>
    public OutsideService Outside { get; } = new();

    /// <summary>What calls run.</summary>
    public GrainMethods Methods { get; } = new();

    public AgreementMonitor Agreement { get; }

    /// <summary>Where engines are looked into, and their logs are seen to be written.</summary>
    public ProofMonitor? Proofs { get; }

    /// <summary>Where the specification takes the protocol's steps.</summary>
    public ProtocolTrace? Protocol { get; }

    public IReadOnlyList<TransactionRecord> Records => _records;

    /// <summary>How many of them have not ended.</summary>
    public int Running { get; private set; }

    /// <summary>Hears of each transaction whose caller has been told, or never will be.</summary>
    public Action<TransactionRecord>? RecordEnded { get; set; }

    public IReadOnlyList<string> Trace => _trace;

    /// <summary>Those that have not crashed, oldest first.</summary>
    public IReadOnlyList<SimulatedNode> Alive => _alive ??= [.. _nodes.Values.Where(n => n.IsAlive).OrderBy(n => n.Id)];

    /// <summary>Who may be given a partition.</summary>
    public IReadOnlyList<SimulatedNode> Candidates =>
        [.. Alive.Where(static node => node is { IsWild: false, IsTakenForDead: false })];

    public IEnumerable<SimulatedNode> AllNodes => _nodes.Values;

    /// <summary>What has gone wrong so far, and how much more may.</summary>
    public FaultLedger Faults { get; }

    public ProtocolCoverage Coverage { get; } = new();

    /// <summary>Looks on, if anybody does.</summary>
    public StateProbe? Probe { get; set; }

    /// <summary>Runs before each flush of a node.</summary>
    public Action<SimulatedNode>? BeforeFlush { get; set; }

    /// <summary>
    /// Hears of each message that a node has handled, and nothing of
    /// what follows from it has been sent; with a bit per kind in it.
    /// </summary>
    public Action<SimulatedNode, ulong>? Received { get; set; }

    /// <summary>Hears of each batch that is written, before anybody is told.</summary>
    public Action<AppendRequest, ulong>? Appended { get; set; }

    /// <summary>Makes a cluster, spreads its partitions over its nodes, and waits until all are served.</summary>
    public static SimulatedCluster Start(ClusterShape shape, ulong seed)
    {
        var cluster = new SimulatedCluster(shape, seed);
        cluster.StartNodes();
        return cluster;
    }

    public void StartNodes()
    {
        AddNodes();
        Steward();
        Require(AllServed, 5_000_000, "progress", "the partitions are not served after start");
    }

    public SimulatedNode AddNode()
    {
        var id = new NodeId(++_lastNode);
        var offset = Shape.SkewMax == 0 ? 0 : _random.Between(-Shape.SkewMax, Shape.SkewMax);
        if (offset != 0 && !Faults.TryEnter(FaultKinds.ClockSkew)) offset = 0;
        var node = new SimulatedNode(this, id, offset, _random.Fork((ulong)id.Value + 1000), [.. _owners]);
        _nodes.Add(id, node);
        _alive = null;

        // A membership tells a newcomer who died before it came.
        foreach (var dead in Deaths.Declared) node.Queue(0, EventKind.Directory, () => node.HearOfDeath(dead));
        TraceLine(() => $"{id} starts, clock off by {offset} µs");
        return node;
    }

    public SimulatedNode Node(NodeId id) => _nodes[id];

    public SimulatedNode? Find(NodeId id) => _nodes.GetValueOrDefault(id);

    /// <summary>The nth node of the cluster's start.</summary>
    public SimulatedNode Node(int number) => _nodes[new NodeId(number + 1)];

    public long ThinkTime() => Shape.ThinkMax == 0 || _random.Chance(0.3) ? 0 : _random.Between(1, Shape.ThinkMax);

    /// <summary>A client asks a node to run a transaction.</summary>
    public TransactionRecord Submit(SimulatedNode agent, TransactionSpec spec, long delay = 0, int client = -1)
    {
        var record = new TransactionRecord(_records.Count + 1, spec, agent, Loop.Now + delay) { Client = client };
        _records.Add(record);
        Running++;
        if (!agent.IsAlive) EndRecord(record, Outcome.Lost);
        agent.Queue(delay, EventKind.Client, () => _driver.Drive(record));
        return record;
    }

    /// <summary>Runs until the condition holds, or fails the run with the given kind.</summary>
    public void Require(Func<bool> condition, long microsecondsMax, string kind, string message)
    {
        if (!Loop.RunUntil(condition, microsecondsMax))
            throw new SimulationFailedException(kind, $"{message} ({microsecondsMax} µs waited, now {Loop.Now})");
    }

    /// <summary>Submits and runs to the end.</summary>
    public TransactionRecord Run(SimulatedNode agent, TransactionSpec spec)
    {
        var record = Submit(agent, spec);
        AwaitEnd(record);
        return record;
    }

    public void AwaitEnd(params IEnumerable<TransactionRecord> records)
    {
        var all = records.ToArray();
        Require(
            () => Running == 0 || Array.TrueForAll(all, r => r.Outcome != Outcome.Running), 30_000_000, "progress",
            $"still running: {string.Join(", ", all.Where(r => r.Outcome == Outcome.Running))}");
    }

    /// <summary>From now on nothing goes wrong any more: what is cut heals, what is held goes its way.</summary>
    public void StopFaults()
    {
        TraceLine(() => "---- faults stop");
        Deaths.EndMistakes();
        Network.Hook = null;
        Network.Profile = Network.Profile with { Loss = 0, Duplication = 0, Stray = 0 };
        foreach (var node in Alive)
        {
            node.BeQuick();
            node.HearsStorage = true;
            if (node.IsWild) node.ClockOffset = 0;
        }

        Network.Heal();
        Network.ReleaseAll();
        Storage.StopFaults();
        Rows?.StopFaults();
        foreach (var node in Alive)
        {
            for (var p = 0; p < Accounts.Count; p++) node.Believe(p, _owners[p]);
        }

        if (Candidates.Count == 0) AddNode();
    }

    /// <summary>
    /// Who declares what it accesses reserves nothing as long as something of it has to be loaded, and a dry run ends
    /// at a row that nobody serves yet: then its transaction strays by no fault of the engine.
    /// </summary>
    public void LoadGrains()
    {
        for (var account = 0; account < Shape.Accounts; account++)
            Run(Alive.First(), new TransactionSpec("Load", Step.Read(account)));
    }

    /// <summary>What the accounts hold, as one more transaction sees it.</summary>
    public IReadOnlyList<FinalAccount> ReadAll()
    {
        var reads = Enumerable.Range(0, Shape.Accounts).Select(Step.Read).ToArray();
        var record = Run(
            Alive.First(), new TransactionSpec("ReadAll", Step.Sequence(reads), TimeoutMicroseconds: 20_000_000));
        if (record.Outcome != Outcome.Committed)
            throw new SimulationFailedException(
                "progress",
                $"the accounts cannot be read: {record}; attempts ended with "
                + $"{string.Join(' ', Alive.First().Engine.Statistics.AbortsByReason.Select((n, reason) => (n, (AbortReason)reason)).Where(a => a.n > 0))}");
        return [.. record.LastRun!.Observations.Select(o => new FinalAccount(o.Before, o.Balance))];
    }

    /// <summary>Engines keep a meter, which the process would keep for ever.</summary>
    public void Dispose()
    {
        foreach (var node in _nodes.Values) node.Engine.Metrics.Dispose();
    }

    /// <summary>Something broke in a place that can't throw through the engine: the next event does.</summary>
    public void Fail(SimulationFailedException failure) => Loop.Queue(0, EventKind.Fault, 0, () => throw failure);

    public void TraceLine(Func<string> line)
    {
        if (Shape.Trace) _trace.Add($"{Loop.Now,9}: {line()}");
    }

    /// <summary>A transaction's caller has been told, or never will be.</summary>
    public void EndRecord(
        TransactionRecord record, Outcome outcome, AbortInfo? abort = null, UserException? userException = null)
    {
        record.End(outcome, Loop.Now, abort, userException);
        if (outcome == Outcome.Committed) Outside.CheckTaken(record);
        Running--;
        if (record.Client >= 0) RecordEnded?.Invoke(record);
    }

    private void CoverInterrupted(AppendRequest request, bool isWritten) =>
        Coverage.AppendInterrupted(LogTap.KindsOf(request.Bytes), isWritten);

    private void HearAppend(AppendRequest request)
    {
        TraceLine(
            () =>
                $"log {request.Partition}@{request.Position} by {request.Process.Id}: "
                + $"{LogTap.Describe(request.Bytes)}");
        Protocol?.Written(request);
        if (Shape.Monitors) new ProtocolMonitor(this).Written(request);
        Probe?.Written(request);
        Appended?.Invoke(request, LogTap.KindsOf(request.Bytes));
    }
}
