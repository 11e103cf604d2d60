using Microsoft.Extensions.Logging;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Storage;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// What the owners of an engine's partitions share: who finds them, the transactions that this node knows of, and
/// what is above them, as far as they need it. On the engine's turn.
/// </summary>
internal sealed class OwnerParts
{
    private readonly EngineContext _context;
    private readonly Action<Exception> _failed;
    private readonly Action<NodeId> _nodeDead;

    /// <summary>Creates it. Nothing is owned yet.</summary>
    /// <param name="context">Whose.</param>
    /// <param name="dead">Nodes that never act again.</param>
    /// <param name="mail">What this node says.</param>
    /// <param name="timers">Asked for ticks.</param>
    /// <param name="agents">What agents are done with.</param>
    /// <param name="waits">Who waits for whom.</param>
    /// <param name="logs">The logs of all partitions.</param>
    /// <param name="registry">Numbers transaction types.</param>
    /// <param name="table">The policy table in force.</param>
    /// <param name="look">
    /// Looks at a transaction, and says when again. Whoever looks may go on with any part of the engine: hence a
    /// callback.
    /// </param>
    /// <param name="failed">An invariant is broken, which ends every part of the engine.</param>
    /// <param name="nodeDead">A node of which only a log told is gone.</param>
    public OwnerParts(
        EngineContext context, DeadNodes dead, Mail mail, Timers timers, KnownAgents agents, WaitGraph waits,
        ILogStore logs, SiteRegistry registry, Func<PolicyTable> table,
        Func<LocalTransaction, long, long> look, Action<Exception> failed, Action<NodeId> nodeDead)
    {
        (_context, _failed, _nodeDead) = (context, failed, nodeDead);
        (Dead, Mail, Timers, Agents, Waits) = (dead, mail, timers, agents, waits);
        Logs = new LogOwners(this, context, mail, timers, logs);
        Rows = new RowOwners(this, context, dead, mail, timers);
        Partitions = new OwnedPartitions(context, mail, Logs, Rows);
        KnownOwners = new KnownOwners(context, dead, Logs, Partitions);
        WatchedStates = new WatchedStates(Logs);
        TakeOvers = new TakeOvers(context, mail, agents, Logs);
        DueLooks = new DueLooks(context, agents, look);
        Transactions = new TransactionTable(context, agents, registry, table, DueLooks);
        Ended = new EndedTransactions(context, agents, Logs, Rows, Transactions);
    }

    public NodeId Node => _context.Node;

    public EngineOptions Options => _context.Options;

    public IEngineHost Host => _context.Host;

    public ILogger Log => _context.Log;

    public HybridClock Clock => _context.Clock;

    public EngineStatistics Statistics => _context.Statistics;

    public PartitionNames Names => _context.Names;

    public ProtocolBreaks Breaks => _context.Breaks;

    public long Now => _context.Now;

    public bool IsStopped => _context.IsStopped;

    /// <summary>Who hears of the protocol's steps, if anybody does.</summary>
    public IProtocolEvents? Events { get; set; }

    /// <summary>
    /// Who records what is ordered; <see langword="null"/> when nobody does, which is all that it costs then.
    /// </summary>
    public IOrderTrace? Recorder { get; set; }

    /// <summary>What becomes of transactions.</summary>
    public ITransactionLife Lifecycle { get; private set; } = null!;

    /// <summary>Who measures.</summary>
    public IOwnerMetrics Metrics { get; private set; } = null!;

    public DeadNodes Dead { get; }

    public Mail Mail { get; }

    public Timers Timers { get; }

    public KnownAgents Agents { get; }

    public WaitGraph Waits { get; }

    public LogOwners Logs { get; }

    public RowOwners Rows { get; }

    public OwnedPartitions Partitions { get; }

    public KnownOwners KnownOwners { get; }

    public WatchedStates WatchedStates { get; }

    public TakeOvers TakeOvers { get; }

    public DueLooks DueLooks { get; }

    public TransactionTable Transactions { get; }

    public EndedTransactions Ended { get; }

    /// <summary>What is above is built: once, before anything is owned.</summary>
    public void Connect(ITransactionLife lifecycle, IOwnerMetrics metrics) =>
        (Lifecycle, Metrics) = (lifecycle, metrics);

    /// <summary>An invariant is broken: better no service than a wrong one.</summary>
    public void Fail(Exception exception) => _failed(exception);

    /// <summary>A node will never act again.</summary>
    public void NodeDead(NodeId node) => _nodeDead(node);
}
