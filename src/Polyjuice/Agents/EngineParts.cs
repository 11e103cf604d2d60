using Microsoft.Extensions.Logging;
using Polyjuice.Agents.Spans;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Storage;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// The parts of an engine, but for the turn that routes between them: for each other, for states and calls, and for
/// tests. Each depends on those above it only; what is called back is abstract here. On the engine's turn.
/// </summary>
internal abstract class EngineParts
{
    /// <summary>Builds them. No partition is owned yet.</summary>
    /// <param name="node">This incarnation.</param>
    /// <param name="options">Validated here; must not change afterwards.</param>
    /// <param name="host">What drives the engine.</param>
    /// <param name="logs">The logs of all partitions.</param>
    /// <param name="policies">The policy table in force; may be shared by the engines of one process.</param>
    /// <param name="exceptions">Makes what callers catch.</param>
    /// <param name="logger">Where events of interest to an operator go.</param>
    /// <param name="metrics">Makes what measures.</param>
    /// <exception cref="System.ComponentModel.DataAnnotations.ValidationException">
    /// An option is out of its bounds.
    /// </exception>
    protected EngineParts(
        NodeId node, EngineOptions options, IEngineHost host, ILogStore logs, PolicyStore policies,
        IAbortExceptionFactory exceptions, ILogger logger, Func<EngineParts, IEngineMetrics> metrics)
    {
        options.Validate();
        Context = new EngineContext(node, options, host, logger);
        Policies = policies;
        Paths = new PathTree(policies.Registry);
        Exceptions = new AbortExceptions(Context, exceptions);
        OpenTime = new OpenTime(Context);
        Dead = new DeadNodes();
        var oldest = new OldestAttempt();
        Live = new LiveAttempts(oldest);
        Mail = new Mail(Context, Dead);
        Agents = new KnownAgents(Context, oldest, Mail);
        Timers = new Timers(Context, Tick, Probe);

        Sites = new SiteCounts(policies.Registry);
        Waits = new WaitGraph(Context, Mail, Timers, policies.Registry, Sites, new WaitCalls(this));
        Owners = new OwnerParts(
            Context, Dead, Mail, Timers, Agents, Waits, logs, policies.Registry, () => Tables!.Current, Look, Fail,
            NodeDead);

        Queue = new AdmissionQueue(options, Context.Statistics, host);
        var chooser = new TableChooser(Context, policies, Mail, KnownOwners, Queue);
        Tables = new TablesInForce(policies, chooser);
        Admission = new AttemptAdmission(Context, Timers, Exceptions, Queue, Learning);
        Exchange = new LoadExchange(Context, policies, Tables, chooser, Learning, Mail, KnownOwners, Queue);
        Queues = new ReservationQueues(Context, Waits, Hot, new ReservationCalls(this));
        Spans = new AttemptSpans(Context, Tables);
        policies.Add(Conflicts = new ConflictWatch(node));

        // Whoever listens may observe the engine from then on, on a thread of their own: what they ask for is there.
        Metrics = metrics(this);

        Lifecycle = new Lifecycle(Context, Mail, Exceptions, Waits, Spans, Tables, DueLooks, Transactions, Ended);
        Owners.Connect(Lifecycle, Metrics);
        Exposures = new Exposures(Context, Mail, Transactions);
        Progress = new TransactionProgress(Context, Mail, Waits, Transactions, Lifecycle);
        Parallel = new ParallelTransactions(Context, Mail, Waits);
        Aborts = new AttemptAborts(Context, Mail, Ended, Lifecycle);
        Calls = new CallParts(this);
        Commits = new CommitParts(this);
        Reservations = new ReservationParts(this);
        AttemptParts = new AttemptParts(this);
    }

    /// <summary>This incarnation.</summary>
    public NodeId Node => Context.Node;

    /// <summary>Counters.</summary>
    public EngineStatistics Statistics => Context.Statistics;

    internal EngineOptions Options => Context.Options;

    internal IEngineHost Host => Context.Host;

    internal ILogger Log => Context.Log;

    internal HybridClock Clock => Context.Clock;

    internal PartitionNames Names => Context.Names;

    internal ProtocolBreaks Breaks => Context.Breaks;

    internal long Now => Context.Now;

    internal bool IsStopped => Context.IsStopped;

    /// <summary>Who hears of the protocol's steps, if anybody does.</summary>
    internal IProtocolEvents? Events
    {
        get;
        set
        {
            field = value;
            Context.Listener = value;
            Owners.Events = value;
            Queues.Events = value;
        }
    }

    internal EngineContext Context { get; }
    internal PolicyStore Policies { get; }
    internal PathTree Paths { get; }
    internal AbortExceptions Exceptions { get; }
    internal OpenTime OpenTime { get; }
    internal DeadNodes Dead { get; }
    internal LiveAttempts Live { get; }
    internal Mail Mail { get; }
    internal KnownAgents Agents { get; }
    internal Timers Timers { get; }
    internal Recording Recording { get; } = new();
    internal SiteCounts Sites { get; }
    internal WaitGraph Waits { get; }
    internal OwnerParts Owners { get; }
    internal LogOwners Logs => Owners.Logs;
    internal RowOwners Rows => Owners.Rows;
    internal WatchedStates WatchedStates => Owners.WatchedStates;
    internal OwnedPartitions Partitions => Owners.Partitions;
    internal KnownOwners KnownOwners => Owners.KnownOwners;
    internal DueLooks DueLooks => Owners.DueLooks;
    internal TransactionTable Transactions => Owners.Transactions;
    internal EndedTransactions Ended => Owners.Ended;
    internal AdmissionQueue Queue { get; }
    internal TypeLearning Learning { get; } = new();
    internal TablesInForce Tables { get; }
    internal AttemptAdmission Admission { get; }
    internal LoadExchange Exchange { get; }
    internal HotParticipants Hot => Exchange.Hot;
    internal ReservationQueues Queues { get; }
    internal AttemptSpans Spans { get; }
    internal ConflictWatch Conflicts { get; }
    internal IEngineMetrics Metrics { get; }
    internal CancellationInbox<AgentTransaction> Cancellations { get; } = new();
    internal Lifecycle Lifecycle { get; }
    internal Exposures Exposures { get; }
    internal TransactionProgress Progress { get; }
    internal ParallelTransactions Parallel { get; }
    internal AttemptAborts Aborts { get; }
    internal CallParts Calls { get; }
    internal CommitParts Commits { get; }
    internal ReservationParts Reservations { get; }
    internal AttemptParts AttemptParts { get; }

    /// <summary>
    /// Attempts that wait for others to end before they start, now. Other threads may see it a moment later.
    /// </summary>
    public int HeldAttempts => Queue.Waiting;

    /// <summary>
    /// How many attempts of contended types may run at a time on this node; 0 while nothing is held back. Other threads
    /// may see it a moment later.
    /// </summary>
    public int AttemptLimit
    {
        get
        {
            var limit = Queue.Limit;
            return limit == ConflictLimit.Open ? 0 : limit;
        }
    }

    /// <summary>A tick has come: all parts are housekept in it.</summary>
    protected abstract void Tick();

    /// <summary>It is time to look for cycles across nodes.</summary>
    protected abstract void Probe(long now);

    /// <summary>Looks at a transaction that is due, and says when again.</summary>
    protected abstract long Look(LocalTransaction transaction, long now);

    /// <summary>An invariant is broken: better no service than a wrong one.</summary>
    internal abstract void Fail(Exception exception);

    /// <summary>A node was declared dead and will never act again.</summary>
    public abstract void NodeDead(NodeId node);
}
