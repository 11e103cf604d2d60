using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// The activation that owns a log partition: it holds the versions of the partition's participants, orders
/// transactions, votes, and manages those whose commit record goes into its log. It builds the parts that do so, and
/// hands them what its engine hears. Everything on its engine's turn.
/// </summary>
/// <remarks>
/// The rules named in comments (R1, V3, L4, …) are those of the protocol description. A part knows only parts that were
/// built before it; the log and the versions call back, through <see cref="IAppendEvents"/> and
/// <see cref="IOwnDecisions"/>.
/// </remarks>
internal sealed class PartitionOwner : VersionedPartition, IAppendEvents, IOwnDecisions
{
    private readonly OwnerParts _shared;
    private readonly IPartitionLog _log;
    private readonly Ownership _ownership;
    private readonly ParticipantTable _participants;

    // The log.
    private readonly LogHealth _health;
    private readonly TimestampCeiling _ceiling;
    private readonly AppendPipeline _appends;
    private readonly LogUpkeep _upkeep;
    private readonly LateFence _fence;

    // What it does for its participants.
    private readonly RecoveredOutcomes _recovered = new();
    private readonly Branches _branches;
    private readonly Dependencies _dependencies;
    private readonly Votes _votes;
    private readonly PrepareReplies _replies;
    private readonly Prepares _prepares;
    private readonly Cascade _cascade;
    private readonly BranchOutcomes _outcomes;
    private readonly SnapshotReads _snapshots;

    // What it does as a manager.
    private readonly Decisions _decisions;
    private readonly DependencyQueries _dependencyQueries;
    private readonly DependencyOutcomes _dependencyOutcomes;
    private readonly Manager _manager;
    private readonly Voting _voting;
    private readonly StagedCommits _staged;
    private readonly OutcomeQueries _outcomeQueries;

    // What it does as time goes by.
    private readonly Forgetting _forgetting;
    private readonly Orphans _orphans;
    private readonly Housekeeping _housekeeping;

    private ParticipantUse[] _soleUse = [];

    public PartitionOwner(OwnerParts shared, int partition, IPartitionLog log) : base(partition)
    {
        _shared = shared;
        _log = log;
        _ownership = new Ownership(shared, this, partition);
        _participants = new ParticipantTable(shared, this);
        _health = new LogHealth(shared, partition, log.Location);
        _ceiling = new TimestampCeiling(shared, _ownership);
        _appends = new AppendPipeline(shared, _ownership, _ceiling, log, _health, this);
        _upkeep = new LogUpkeep(shared, _ownership, log, _appends);
        _branches = new Branches(shared, this, _ownership, _recovered, _upkeep);
        _fence = new LateFence(shared, _ownership, _branches, _appends, _ceiling);
        var prepareLog = new PrepareLog(shared, _ownership, _appends);
        _dependencies = new Dependencies(shared, _ownership, prepareLog);
        _votes = new Votes(shared, _ownership, _dependencies);
        _decisions = new Decisions(shared, this, _ownership);
        _dependencyQueries = new DependencyQueries(shared, _ownership, _branches, _recovered, _decisions);
        var outcomeRecords = new OutcomeRecords(_ownership, _branches, _appends);
        _replies = new PrepareReplies(shared, _ownership, _branches);
        _cascade = new Cascade(shared, _ownership, _branches, _replies, outcomeRecords, _dependencyQueries, this);
        var horizon = new SnapshotHorizon(shared.Options.TransactionTimeoutMicroseconds);
        _snapshots = new SnapshotReads(shared, _ownership, _ceiling, _health, horizon);
        _outcomes = new BranchOutcomes(
            shared, _ownership, _branches, _recovered, _cascade, outcomeRecords, _dependencyQueries, _appends, _ceiling,
            horizon);
        var messages = new OutcomeMessages(shared, _ownership);
        _forgetting = new Forgetting(
            shared, _ownership, _branches, _recovered, _decisions, messages, _upkeep, _appends);
        _manager = new Manager(
            shared, _branches, _decisions, _appends, prepareLog, _cascade, _outcomes, outcomeRecords, messages,
            _forgetting);
        var commitRecords = new CommitRecords(
            shared, _branches, _decisions, _appends, prepareLog, _dependencies, _dependencyQueries, messages);
        var finalSteps = new FinalStepRunner(
            shared, _ownership, _branches, _dependencyQueries, commitRecords, _manager);
        _dependencyOutcomes = new DependencyOutcomes(
            shared, _branches, _decisions, _dependencyQueries, finalSteps, _manager);
        _voting = new Voting(
            shared, _ownership, _branches, _recovered, _decisions, prepareLog, _votes, commitRecords,
            _dependencyQueries, messages, finalSteps, _dependencyOutcomes, _manager);
        _outcomeQueries = new OutcomeQueries(
            shared, _ownership, _branches, _recovered, _decisions, _cascade, outcomeRecords, messages, _manager);
        _staged = new StagedCommits(
            shared, _ownership, _branches, _recovered, _decisions, _votes, _dependencyQueries, _cascade, _ceiling,
            _appends);
        var ordering = new Ordering(
            shared, _ownership, _branches, _ceiling, _replies, _cascade, _dependencies, _staged, _voting);
        _prepares = new Prepares(
            shared, _ownership, _branches, _recovered, _fence, _appends, _health, _ceiling, _replies, _votes, _cascade,
            ordering);
        _orphans = new Orphans(_ownership, _branches, _decisions, _votes, _dependencyQueries, _staged, _manager);
        _housekeeping = new Housekeeping(
            shared, _ownership, _branches, _recovered, _decisions, _appends, _votes, _cascade, _dependencyQueries,
            messages, _staged, _manager, _forgetting);
    }

    /// <summary>It has asked for a flush; of rows there may be too many to look at each.</summary>
    public bool AwaitsFlush { get; set; }

    /// <summary>Its place among the <see cref="RestlessRows"/>, or -1.</summary>
    public int RestlessAt { get; set; } = -1;

    /// <summary>Position after this activation's fence record: larger than that of every earlier owner.</summary>
    public long Epoch => _ownership.Epoch;

    /// <inheritdoc/>
    public override bool IsActive => _ownership.IsActive;

    /// <inheritdoc cref="LateFence.IsFenced"/>
    public bool IsFenced => _fence.IsFenced;

    /// <summary>The durable timestamp ceiling (L4).</summary>
    public long Ceiling => _ceiling.Durable;

    /// <inheritdoc cref="AppendPipeline.HasWork"/>
    public bool HasWork => _appends.HasWork;

    /// <summary>
    /// Which log this is, and why the first batch under way was not appended the last time that it was tried, or
    /// <see langword="null"/>.
    /// </summary>
    public string? LogFailure => _health.Failure;

    /// <summary>
    /// The first batch under way was tried more than once, for longer than it takes to repeat an unanswered message:
    /// this is more than a hiccup.
    /// </summary>
    public bool IsLogOut => _health.IsOut;

    /// <inheritdoc cref="Housekeeping.HasUnfinished"/>
    public bool HasUnfinished => _housekeeping.HasUnfinished;

    /// <summary>What it has to remember, in transactions: a measure of how much is done here.</summary>
    public int Load => _branches.All.Count + _decisions.All.Count;

    /// <summary>Branches that are neither decided nor forgotten; for diagnostics and tests.</summary>
    public IEnumerable<Branch> Branches => _branches.All;

    /// <summary>Decisions that are not forgotten; for diagnostics and tests.</summary>
    public IEnumerable<Decision> Decisions => _decisions.All;

    /// <summary>What it holds versions of, in no order; for diagnostics and tests.</summary>
    public IEnumerable<Participant> Participants => _participants.All;

    /// <inheritdoc cref="ParticipantTable.Watched"/>
    public IReadOnlyList<Participant> Watched => _participants.Watched;

    /// <summary>For diagnostics.</summary>
    public override string ToString() =>
        $"epoch {Epoch}, active {IsActive}, {_appends}, {_recovered.Count} recovered outcomes";

    /// <summary>Fences the log, or finds that this has time, reads it up to the fence, and serves: L1, L2.</summary>
    public async Task AcquireAsync(CancellationToken cancellationToken)
    {
        using var linked = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _ownership.Stopping);
        var retry = new LogRetry(_shared, _health);
        var fencing = new Fencing(_shared, _ownership, _log, _health, retry, _fence, _ceiling);
        var recovery = new Recovery(
            _shared, _ownership, _log, retry, _ceiling, _upkeep, _participants, _branches, _recovered, _dependencies,
            _decisions, _dependencyQueries, _manager);
        var position = await fencing.FenceAsync(linked.Token);
        if (!_ownership.IsStopped && IsFenced) _shared.Events?.Fenced(Partition, position + 1);
        else if (!_ownership.IsStopped) _shared.Events?.Loaded(Partition, position + 1);
        await recovery.RunAsync(position, linked.Token);
        linked.Token.ThrowIfCancellationRequested();
        _appends.Begin(position + (IsFenced ? 1 : 0));
        if (!IsFenced) LogRecords.WriteFence(_appends.Records, _shared.Node);
        _ownership.Begin(position + 1);
        _shared.Events?.Serves(this);
        foreach (var branch in _branches.All) branch.Touched = _shared.Now;
        _staged.AskForStaged();
        _orphans.SayWhatWasPrepared();
        var agents = recovery.AgentsInLog();
        recovery.BuryTheGone(agents);
        _shared.TakeOvers.Announce(this, agents);
        _ownership.Stir();
        _ownership.RequestFlush();
    }

    /// <summary>
    /// Another owner serves the partition, or nobody does. What is undecided is decided by the next one.
    /// </summary>
    public void Stop()
    {
        _ownership.End();
        _health.End();
        _ceiling.DropPrepares();
        _fence.Drop();
        foreach (var branch in _branches.All.ToArray())
        {
            _replies.Unpark(branch);
            if (branch.State == BranchState.Running)
            {
                _shared.Lifecycle.Doom(branch.Transaction, AbortReason.OwnerChanged, null);
                continue;
            }

            _shared.Ended.RememberEnd(branch.Id);
            if (branch.IsUndecided && !branch.Transaction.RunsHere)
                _shared.Lifecycle.End(branch.Transaction);
        }

        _ceiling.ReleaseReaders();
    }

    /// <inheritdoc cref="ParticipantTable.Get"/>
    public Participant GetParticipant(ParticipantKey key) => _participants.Get(key);

    /// <inheritdoc cref="ParticipantTable.Find"/>
    public Participant? FindParticipant(ParticipantKey key) => _participants.Find(key);

    /// <inheritdoc cref="ParticipantTable.SparesOf"/>
    public override SpareVersions SparesOf(StateAdapter? adapter) => _participants.SparesOf(adapter);

    /// <inheritdoc cref="Branches.Of"/>
    public override Branch? BranchOf(LocalTransaction transaction) => _branches.Of(transaction);

    /// <inheritdoc cref="Branches.ForAccess"/>
    public Branch? BranchForAccess(LocalTransaction transaction) => _branches.ForAccess(transaction);

    /// <inheritdoc cref="Branches.TakesAccessesOf"/>
    public bool TakesAccessesOf(LocalTransaction transaction) => _branches.TakesAccessesOf(transaction);

    /// <summary>The same for one of which nothing is known here.</summary>
    public bool TakesAccessesOf(TransactionId id) => !_branches.IsOver(id);

    /// <inheritdoc cref="Cascade.Remove"/>
    public void RemoveVersion(StateVersion version) => _cascade.Remove(version);

    /// <inheritdoc cref="SnapshotReads.ReadAsync"/>
    public ValueTask<StateVersion?> ReadSnapshotAsync(
        LocalTransaction transaction, Participant participant, int siteId) =>
        _snapshots.ReadAsync(transaction, participant, siteId);

    /// <summary>
    /// The participants of a transaction that was only here. They are never changed once made, and one transaction
    /// tends to use a partition just as the one before did, so that the two can share them.
    /// </summary>
    public ParticipantUse[] SoleUse(in ParticipantUse use)
    {
        if (_soleUse is not [var known] || known != use) _soleUse = [use];
        return _soleUse;
    }

    /// <inheritdoc cref="LateFence.Holds"/>
    public bool HoldsForFence(in Message message) => _fence.Holds(message);

    /// <inheritdoc cref="LateFence.HasDeposed"/>
    public bool HasDeposed(long epoch) => _fence.HasDeposed(epoch);

    /// <inheritdoc cref="PrepareReplies.AwaitOrder"/>
    public bool AwaitOrder(Branch branch, int round) => _replies.AwaitOrder(branch, round);

    /// <inheritdoc cref="PrepareReplies.RefuseParked"/>
    public void RefuseParked(Branch branch) => _replies.RefuseParked(branch);

    /// <inheritdoc cref="BranchOutcomes.Abandon"/>
    public void Abandon(TransactionId id) => _outcomes.Abandon(id);

    /// <inheritdoc cref="Prepares.OnPrepare"/>
    public void OnPrepare(in Message prepare) => _prepares.OnPrepare(prepare);

    /// <inheritdoc cref="Voting.OnVote"/>
    public void OnVote(in Message vote) => _voting.OnVote(vote);

    /// <inheritdoc cref="StagedCommits.OnVoteQuery"/>
    public void OnVoteQuery(in Message query) => _staged.OnVoteQuery(query);

    /// <inheritdoc cref="OutcomeQueries.OnQuery"/>
    public void OnQuery(in Message query) => _outcomeQueries.OnQuery(query);

    /// <inheritdoc cref="BranchOutcomes.OnOutcome"/>
    public void OnOutcome(in Message outcome) => _outcomes.OnOutcome(outcome);

    /// <inheritdoc cref="Forgetting.OnAcknowledge"/>
    public void OnAcknowledge(in Message acknowledgement) => _forgetting.OnAcknowledge(acknowledgement);

    /// <inheritdoc cref="DependencyQueries.OnQuery"/>
    public void OnDependencyQuery(in Message query) => _dependencyQueries.OnQuery(query);

    /// <inheritdoc cref="DependencyOutcomes.OnAnswer"/>
    public void OnDependencyAnswer(in Message answer) => _dependencyOutcomes.OnAnswer(answer);

    /// <inheritdoc cref="Orphans.OnOwner(int, long)"/>
    public void OnOwner(int partition, long epoch) => _orphans.OnOwner(partition, epoch);

    /// <inheritdoc cref="Orphans.OnNodeDead"/>
    public void OnNodeDead(NodeId node) => _orphans.OnNodeDead(node);

    /// <inheritdoc cref="Housekeeping.Tick"/>
    public bool Tick(long now) => _housekeeping.Tick(now);

    /// <inheritdoc cref="Housekeeping.Look(Branch, long)"/>
    public long Look(Branch branch, long now) => _housekeeping.Look(branch, now);

    /// <inheritdoc cref="Housekeeping.Look(Decision, long)"/>
    public long Look(Decision decision, long now) => _housekeeping.Look(decision, now);

    /// <inheritdoc cref="Housekeeping.SeekRest"/>
    public void SeekRest() => _housekeeping.SeekRest();

    /// <summary>Begins an append if there is anything to append, and the log takes one.</summary>
    public void Flush()
    {
        if (!_appends.Begins()) return;
        _upkeep.WriteAlong();
        _upkeep.Sent(_appends.Send());
    }

    void IAppendEvents.Appended(LogBatch batch)
    {
        _fence.Fenced();
        _upkeep.Appended(batch.Bytes.Length);
        var actions = batch.Actions;
        for (var i = 0; i < actions.Count; i++) OnDurable(actions[i]);
        if (batch.Answers is { } answers)
        {
            foreach (var (asker, partition, said) in answers) _ownership.Answer(asker, partition, said);
        }

        _upkeep.ConsiderCheckpoint();
    }

    /// <summary>
    /// Nobody can say when the log takes an append again, so nobody waits for that who has not prepared: held prepares
    /// are refused, and readers of snapshots hear of it.
    /// </summary>
    void IAppendEvents.LogOut()
    {
        foreach (var branch in _branches.All.ToArray())
        {
            if (branch.IsUndecided) _shared.Lifecycle.DoomWhoAwaitsDecision(branch.Transaction, this);
        }

        _ceiling.Release();
        _ownership.RequestFlush();
    }

    void IAppendEvents.TakenForNotWritten(LogBatch batch)
    {
        foreach (var action in batch.Actions)
        {
            if (action.Kind == LogRecordKind.Prepare) _cascade.Abort(action.Branch!);
            else if (action.Kind == LogRecordKind.Commit)
            {
                action.Decision!.State = DecisionState.Collecting;
                _manager.Abort(action.Decision);
            }
        }
    }

    bool IOwnDecisions.BranchAborts(Branch branch) => _manager.BranchAborts(branch);

    private void OnDurable(in DurableAction action)
    {
        switch (action.Kind)
        {
            case LogRecordKind.Ceiling:
                _ceiling.Raised(action.Timestamp);
                break;
            case LogRecordKind.Prepare:
                _votes.Logged(action.Branch!, action.Round);
                break;
            case LogRecordKind.Commit:
                _dependencyOutcomes.Recorded(action.Decision!);
                break;
            case LogRecordKind.Resolved:
                _manager.Resolved(action.Decision!, action.Committed);
                break;
            case LogRecordKind.Outcome:
                _outcomes.Logged(action);
                if (!action.Committed) _manager.AbortIsLogged(action.Branch!.Id);
                break;
            case LogRecordKind.Forget:
                _decisions.Forget(action.Decision!);
                break;
            case LogRecordKind.OldestLive:
                _ = _upkeep.CheckpointAsync();
                break;
        }
    }
}
