using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Protocol;

/// <summary>
/// A script did not get to where it wanted to be: the script is wrong, which says nothing about the rule.
/// </summary>
internal sealed class ScenarioException(string message) : Exception(message);

/// <summary>
/// A small cluster for a scripted interleaving: two nodes that are agents only, three that own a partition each
/// (account n is in partition n mod 3), and a spare one. Messages take 100 µs, appends 200 µs, nothing goes wrong
/// unless the script says so.
/// </summary>
internal sealed class Scenario
{
    private const long Patience = 5_000_000;

    /// <param name="breaks">Rules that are removed.</param>
    /// <param name="policy">Of every site.</param>
    /// <param name="configure">Changes the engines' options.</param>
    /// <param name="skew">How far clocks may be off.</param>
    /// <param name="rows">
    /// Accounts 3 to 5 are kept in rows, and account n is unit n then, as a partition and as a row.
    /// </param>
    /// <param name="sleep">Rows are served only while somebody wants something of them.</param>
    /// <param name="appends">How many appends an owner may have under way.</param>
    /// <param name="staged">
    /// Whether who only writes commits by its prepares; else by a commit record, as the others do.
    /// </param>
    /// <param name="prepare">Before anything starts.</param>
    public Scenario(
        ProtocolBreaks breaks, PolicyActions policy = PolicyActions.None,
        Action<EngineOptions>? configure = null, long skew = 0, bool rows = false,
        bool sleep = false, int appends = 1, bool staged = true, Action<SimulatedCluster>? prepare = null)
    {
        var options = ClusterShape.FastOptions();
        options.Breaks = breaks;
        options.CeilingAheadMicroseconds = 200_000;
        options.TransactionTimeoutMicroseconds = 3_000_000;
        options.RowLingerMicroseconds = 1_000_000;
        options.StagesCommits = staged;

        // Scripts are of single messages, and say themselves who learns of a take-over.
        options.AnnouncesTakeOvers = false;
        configure?.Invoke(options);
        Cluster = new SimulatedCluster(
            new ClusterShape
            {
                Nodes = 6, AgentNodes = 2, Partitions = 3, Accounts = 6, ThinkMax = 0, DirectoryLag = 0,
                Options = options, SkewMax = skew, IsRow = rows ? account => account >= 3 : null, RowsSleep = sleep,
                Policy = _ => new FixedPolicy("scenario", policy), CallTimeout = 400_000, AppendsUnderWay = appends,
                Network = new NetworkProfile { DelayMin = 100, DelayMax = 100 },
                Storage = new StorageProfile { DelayMin = 200, DelayMax = 200 }, Trace = true,
            },
            seed: 1);
        Wire = new WireTap(Cluster.Network);
        Log = new LogTap(Cluster.Logs);
        prepare?.Invoke(Cluster);
        Cluster.StartNodes();
        foreach (var node in Cluster.Alive) node.ClockOffset = 0;

        // Every node has seen every site and every owner a durable ceiling.
        foreach (var agent in new[] { Agent, OtherAgent })
        {
            foreach (var account in Enumerable.Range(0, 6))
                Require(Cluster.Run(agent, Updates("Warm", account)).Outcome == Outcome.Committed, "warm-up");
        }

        Idle();
        WarmBatches = [.. Enumerable.Range(0, 3).Select(p => Cluster.Logs.Batches(p).Count)];
    }

    /// <summary>How long each log was when the script began.</summary>
    public IReadOnlyList<int> WarmBatches { get; }

    public SimulatedCluster Cluster { get; }

    public WireTap Wire { get; }

    public LogTap Log { get; }

    /// <summary>Where accounts 3 to 5 are.</summary>
    public SimulatedRows Rows => Cluster.Rows!;

    public SimulatedNode Agent => Cluster.Node(0);

    public SimulatedNode OtherAgent => Cluster.Node(1);

    public SimulatedNode Spare => Cluster.Node(5);

    public SimulatedNode FirstOwner(int partition) => Cluster.Node(2 + (partition % 4));

    public static TransactionSpec Updates(string type, params int[] accounts) =>
        new(type, Step.Sequence([.. accounts.Select(a => Step.Update(a))]));

    public static TransactionSpec Once(TransactionSpec spec) => spec with { MaxAttempts = 1 };

    public TransactionRecord Start(SimulatedNode agent, TransactionSpec spec) => Cluster.Submit(agent, spec);

    public TransactionRecord Commit(SimulatedNode agent, TransactionSpec spec)
    {
        var record = Cluster.Run(agent, spec);
        Require(record.Outcome == Outcome.Committed, $"{record} must commit");
        return record;
    }

    /// <summary>Runs until the script's condition holds.</summary>
    public void Until(Func<bool> condition, string what) => Require(Cluster.Loop.RunUntil(condition, Patience), what);

    public void Until(params TransactionRecord[] ended) =>
        Until(
            () => Array.TrueForAll(ended, r => r.Outcome != Outcome.Running),
            $"{string.Join(", ", ended.Select(r => $"T{r.Id}"))} must end");

    public void Run(long microseconds) => Cluster.Loop.RunFor(microseconds);

    public void Idle() => Until(() => Cluster.Loop.IsIdle, "rest");

    /// <summary>Another node takes a partition over; the old owner lives and does not know.</summary>
    public void TakeOver(int partition, SimulatedNode by)
    {
        Cluster.Assign(partition, by);
        Until(() => by.Owns(partition), $"{by.Id} must serve partition {partition}");
    }

    /// <summary>All others but one are told that a node is dead; it lives, and does not know.</summary>
    public void TakeForDead(SimulatedNode node, SimulatedNode except)
    {
        foreach (var other in Cluster.Alive.Where(other => other != node && other != except))
            other.Queue(0, EventKind.Directory, () => other.HearOfDeath(node.Id));
    }

    /// <summary>The node's directory is stale.</summary>
    public void Believe(SimulatedNode node, int partition, SimulatedNode owner) => node.Believe(partition, owner.Id);

    public void Require(bool condition, string what)
    {
        if (!condition)
            throw new ScenarioException($"The script expected: {what}.\n{string.Join('\n', Cluster.Trace)}");
    }

    /// <summary>Ends the run and judges it.</summary>
    public void Judge()
    {
        try
        {
            Verdict.Judge(Cluster);
        }
        catch (SimulationFailedException e)
        {
            throw new SimulationFailedException(e.Kind, $"{e.Message}\n{string.Join('\n', Cluster.Trace)}", e);
        }
    }

    /// <summary>Only what is said to be this kind of message of the transaction that the record started last.</summary>
    public static Func<TappedMessage, bool> Of(
        MessageKind kind, NodeId? from = null, NodeId? to = null, Func<Message, bool>? and = null) =>
        m => m.Kind == kind && (from is null || m.From == from) && (to is null || m.To == to)
            && (and is null || and(m.Message));
}
