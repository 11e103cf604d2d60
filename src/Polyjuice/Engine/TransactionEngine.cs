using System.Buffers;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Diagnostics;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Storage;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Engine;

/// <summary>
/// One transaction engine, which is a node of the protocol: its agent, and the log partitions that it owns. All members
/// on the engine's turn.
/// </summary>
internal sealed class TransactionEngine : EngineParts
{
    private readonly NodeDeaths _deaths;
    private readonly TransactionLooks _looks;
    private readonly TurnEnd _turn;
    private readonly Inbox _inbox;
    private readonly Attempts _attempts;
    private readonly EngineHousekeeping _housekeeping;

    /// <summary>Creates it. It owns no partition yet.</summary>
    /// <param name="node">This incarnation.</param>
    /// <param name="options">Validated here; must not change afterwards.</param>
    /// <param name="host">What drives it.</param>
    /// <param name="logs">The logs of all partitions.</param>
    /// <param name="policies">The policy table in force; may be shared by the engines of one process.</param>
    /// <param name="exceptions">Makes what callers catch.</param>
    /// <param name="logger">Where events of interest to an operator go.</param>
    /// <param name="meters">Whose meter <c>Polyjuice</c> it measures with; by default it makes one of its own.</param>
    /// <param name="metrics">Makes what measures, in place of one with that meter.</param>
    /// <exception cref="System.ComponentModel.DataAnnotations.ValidationException">
    /// An option is out of its bounds.
    /// </exception>
    public TransactionEngine(
        NodeId node, EngineOptions options, IEngineHost host, ILogStore logs, PolicyStore policies,
        IAbortExceptionFactory exceptions, ILogger logger, IMeterFactory? meters = null,
        Func<EngineParts, IEngineMetrics>? metrics = null)
        : base(
            node, options, host, logs, policies, exceptions, logger,
            metrics ?? (parts => new EngineMetrics(parts, policies, meters)))
    {
        _deaths = new NodeDeaths(Dead, Agents, Mail, Timers, Partitions, Transactions, Lifecycle, Ended);
        _looks = NewLooks();
        _turn = new TurnEnd(Context, Mail, NewRouter(), Logs, Rows, Waits, Progress, Live, Fail);
        _inbox = new Inbox(Context, Dead, Agents, Mail, Timers, _turn);
        _attempts = NewAttempts();
        _housekeeping = NewHousekeeping();
    }

    /// <summary>
    /// Whether it has stopped by itself: an invariant is broken, or others have declared its node dead (V6). The log
    /// says which. Other threads may see it a moment later.
    /// </summary>
    public bool HasFailed { get; private set; }

    /// <summary>How much of what is under way stands still. Other threads may see it a moment later.</summary>
    public EngineLoad Load => new(HeldAttempts, Waits.Unordered, Transactions.Count);

    /// <summary>
    /// Whether any transaction that this node is the agent of has not ended yet. Other threads may see it a moment
    /// later.
    /// </summary>
    public bool HasTransactions => _housekeeping.HasTransactions;

    /// <inheritdoc cref="LogOwners.AcquireAsync"/>
    public Task AcquirePartitionAsync(int partition, CancellationToken cancellationToken) =>
        Logs.AcquireAsync(partition, cancellationToken);

    /// <inheritdoc cref="LogOwners.Release(int)"/>
    public void ReleasePartition(int partition) => Logs.Release(partition);

    /// <inheritdoc cref="LogOwners.Owns"/>
    public bool Owns(int partition) => Logs.Owns(partition);

    /// <inheritdoc cref="LogOwners.OutageOf"/>
    public string? OutageOf(int partition) => Logs.OutageOf(partition);

    /// <inheritdoc cref="LogOwners.Holds"/>
    public bool HoldsInLog(ParticipantKey key) => Logs.Holds(key);

    /// <inheritdoc cref="LogOwners.GrainGone"/>
    public void GrainGone(ParticipantKey key) => Logs.GrainGone(key);

    /// <inheritdoc cref="RowOwners.AcquireAsync{T}"/>
    public Task AcquireRowAsync<T>(
        ParticipantKey key, IStateCodec<T> codec, IRowStore<T> store, CancellationToken cancellationToken)
        where T : class =>
        Rows.AcquireAsync(key, codec, store, cancellationToken);

    /// <inheritdoc cref="RowOwners.Release(ParticipantKey)"/>
    public void ReleaseRow(ParticipantKey key) => Rows.Release(key);

    /// <inheritdoc cref="RowOwners.Owns"/>
    public bool OwnsRow(ParticipantKey key) => Rows.Owns(key);

    /// <inheritdoc cref="RowOwners.IsAtRest"/>
    public bool IsRowAtRest(ParticipantKey key) => Rows.IsAtRest(key);

    /// <inheritdoc cref="WatchedStates.WatchedClass"/>
    public string? WatchedClass
    {
        get => WatchedStates.WatchedClass;
        set => WatchedStates.WatchedClass = value;
    }

    /// <inheritdoc cref="WatchedStates.HasWatched"/>
    public bool HasWatched => WatchedStates.HasWatched;

    /// <inheritdoc cref="WatchedStates.Watched"/>
    public IEnumerable<(ParticipantKey State, long WrittenAt)> Watched() => WatchedStates.Watched();

    /// <inheritdoc cref="TransactionTable.IsReserving"/>
    public bool IsReserving => Transactions.IsReserving;

    /// <summary>How often housekeeping has looked at something; for tests and measurements.</summary>
    internal long Looks => DueLooks.Looks + Waits.Looks + Queue.Looks;

    /// <inheritdoc cref="CallTokens.Enter"/>
    public CallFrame? EnterRemoteCall(NodeId caller, ReadOnlySpan<byte> token, GrainMethod method) =>
        Calls.Tokens.Enter(caller, token, method);

    /// <inheritdoc cref="CallReports.TryWrite"/>
    public bool TryWriteReport(TransactionId id, NodeId caller, long callId, IBufferWriter<byte> output) =>
        Calls.Reports.TryWrite(id, caller, callId, output);

    /// <inheritdoc cref="Attempts.RunAsync"/>
    public Task RunAsync(
        TransactionRequest request, GrainMethod method, Func<CallFrame, Task> body,
        CancellationToken cancellationToken) =>
        _attempts.RunAsync(request, method, body, cancellationToken);

    /// <inheritdoc cref="Attempts.Run"/>
    public void Run(
        TransactionRequest request, GrainMethod method, ITransactionBody body, CancellationToken cancellationToken) =>
        _attempts.Run(request, method, body, cancellationToken);

    /// <inheritdoc cref="Inbox.Receive"/>
    public void Receive(NodeId from, ReadOnlySpan<byte> batch) => _inbox.Receive(from, batch);

    /// <summary>
    /// Sends what has accumulated for other nodes and starts appends; see <see cref="IEngineHost.RequestFlush"/>.
    /// </summary>
    public void Flush() => _turn.Flush();

    /// <inheritdoc cref="NodeDeaths.NodeDead"/>
    public override void NodeDead(NodeId node) => _deaths.NodeDead(node);

    /// <summary>
    /// Aborts what runs and refuses what comes. Whoever waits here waits no longer: from now on no message comes, and
    /// no timer may. Idempotent.
    /// </summary>
    public void Stop()
    {
        if (Context.IsStopped) return;
        Context.Stop();
        for (var agent = Live.Oldest; agent is not null;)
        {
            var next = agent.Younger;
            if (agent.State == AgentState.Running)
            {
                Aborts.GiveUp(agent, AbortReason.Shutdown);
                Aborts.AbortRunning(agent, new AbortInfo(AbortReason.Shutdown, agent.Transaction.Type));
            }
            else
            {
                Aborts.Complete(agent, new AbortInfo(AbortReason.InDoubt, agent.Transaction.Type));
            }

            agent = next;
        }

        foreach (var transaction in Transactions.All.ToArray())
        {
            if (transaction.Agent is null) Lifecycle.Doom(transaction, AbortReason.OwnerChanged, null);
        }

        Queue.Stop();
        Timers.EndDelays();
        _turn.FlushOnce();
        foreach (var owner in Partitions.All.ToArray()) Partitions.Depose(owner);
        Policies.Remove(Conflicts);
        Metrics.Dispose();
    }

    /// <summary>The engine's side of one transactional state of a grain that has been activated on this silo.</summary>
    /// <param name="key">Which state of which grain.</param>
    /// <param name="codec">How its values are copied and written.</param>
    /// <param name="keepsTurn">
    /// Whether a call of the grain keeps others out while an access of it waits, because the grain's class is not
    /// reentrant.
    /// </param>
    public TransactionalStateCore<T> CreateState<T>(
        ParticipantKey key, IStateCodec<T> codec, bool keepsTurn = false) where T : class =>
        new(
            this, key, Logs.PartitionOf(key), Paths.StateClass($"{key.GrainClass}.{key.State}"),
            new StateAdapter<T>(codec), keepsTurn);

    /// <summary>
    /// The engine's side of one transactional state that is kept in a row of its own. It serves while <see
    /// cref="RowOwners.Owns"/>.
    /// </summary>
    /// <param name="key">Which state of which grain.</param>
    /// <param name="codec">How its values are copied.</param>
    /// <param name="keepsTurn">As for <see cref="CreateState{T}"/>.</param>
    public TransactionalStateCore<T> CreateRowState<T>(
        ParticipantKey key, IStateCodec<T> codec, bool keepsTurn = false) where T : class =>
        new(
            this, key, Rows.NumberOf(key), Paths.StateClass($"{key.GrainClass}.{key.State}"),
            new StateAdapter<T>(codec), keepsTurn);

    /// <inheritdoc/>
    protected override void Tick() => _housekeeping.Tick();

    /// <inheritdoc/>
    protected override void Probe(long now) => _housekeeping.Probe(now);

    /// <inheritdoc/>
    protected override long Look(LocalTransaction transaction, long now) => _looks.Look(transaction, now);

    /// <inheritdoc/>
    internal override void Fail(Exception exception)
    {
        if (exception is DeclaredDeadException) Context.Log.DeclaredDead(exception.Message);
        else Context.Log.Failed(exception);
        HasFailed = true;
        Stop();
    }

    private TransactionLooks NewLooks() => new(
        Context, Agents, Cancellations, DueLooks, Lifecycle, Aborts, Commits.Outcomes, Commits.Rounds,
        Reservations.Chains, AttemptParts.DryRuns);

    private MessageRouter NewRouter() => new(
        Context, Mail, Rows, Partitions, Commits.NewOwners, Transactions, Lifecycle, Progress, Exposures, Parallel,
        Waits, Commits.Rounds, Commits.Outcomes, Reservations.Chains, Reservations.Withdrawals,
        Reservations.GivingWay, Reservations.Loading, AttemptParts.DryRuns, Exchange);

    private Attempts NewAttempts() => new(
        Context, Timers, OpenTime, Exceptions, Paths, Admission, AttemptParts.Choice, AttemptParts.Starts,
        AttemptParts.Reserved, AttemptParts.Planning, AttemptParts.Bodies, AttemptParts.Retries, _turn.DrainNow);

    private EngineHousekeeping NewHousekeeping() => new(
        Context, Mail, Timers, OpenTime, _looks, Queue, Exchange, Conflicts, Waits, Parallel, Logs, Rows, Ended, Live,
        Transactions, Recording, Fail);
}
