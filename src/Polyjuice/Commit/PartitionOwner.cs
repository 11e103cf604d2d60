using Polyjuice.Execution;
using Polyjuice.Hosting;
using Polyjuice.Storage;

namespace Polyjuice.Commit;

/// <summary>
/// The activation that owns a log partition: it holds the versions of the partition's participants, orders transactions, votes,
/// and manages those whose commit record goes into its log. Everything on its engine's turn.
/// </summary>
/// <remarks>The rules named in comments (R1, V3, L4, …) are those of the protocol description.</remarks>
internal sealed partial class PartitionOwner : IAppendEvents, IOwnDecisions
{
    private readonly TransactionEngine _engine;
    private readonly IPartitionLog _log;
    private readonly LogHealth _health;
    private readonly Ownership _ownership;
    private readonly Participants _participants;
    private readonly TimestampCeiling _ceiling;
    private readonly AppendPipeline _appends;
    private readonly LogUpkeep _upkeep;
    private readonly Branches _branches;
    private readonly PrepareLog _prepares;
    private readonly Dependencies _dependencies;
    private readonly Votes _votes;
    private readonly Decisions _decisions;
    private readonly DependencyQueries _queries;
    private readonly OutcomeRecords _outcomeRecords;
    private readonly PrepareReplies _replies;
    private readonly Cascade _cascade;
    private readonly BranchOutcomes _outcomes;
    private readonly OutcomeMessages _messages;
    private readonly Forgetting _forgetting;
    private readonly Manager _manager;
    private readonly CommitRecords _records;
    private readonly FinalStepRunner _finalSteps;
    private readonly DependencyOutcomes _dependencyOutcomes;
    private readonly Voting _voting;
    private readonly OutcomeQueries _outcomeQueries;
    private readonly StagedCommits _staged;
    private ParticipantUse[] _soleUse = [];

    public PartitionOwner(TransactionEngine engine, int partition, IPartitionLog log)
    {
        _engine = engine;
        _log = log;
        _ownership = new Ownership(engine, this, partition);
        _participants = new Participants(engine, this);
        _health = new LogHealth(engine, partition, log.Location);
        _ceiling = new TimestampCeiling(engine, _ownership);
        _appends = new AppendPipeline(engine, _ownership, _ceiling, log, _health, this);
        _upkeep = new LogUpkeep(engine, _ownership, log, _appends);
        _branches = new Branches(engine, this, _ownership, _recoveredOutcomes, _upkeep);
        _prepares = new PrepareLog(engine, _ownership, _appends);
        _dependencies = new Dependencies(engine, _ownership, _prepares);
        _votes = new Votes(engine, _ownership, _dependencies);
        _decisions = new Decisions(engine, this, _ownership);
        _queries = new DependencyQueries(engine, _ownership, _branches, _recoveredOutcomes, _decisions);
        _outcomeRecords = new OutcomeRecords(_ownership, _branches, _appends);
        _replies = new PrepareReplies(engine, _ownership, _branches);
        _snapshotHorizon = new SnapshotHorizon(engine.Options.TransactionTimeoutMicroseconds);
        _cascade = new Cascade(engine, _ownership, _branches, _replies, _outcomeRecords, _queries, this);
        _outcomes = new BranchOutcomes(engine, _ownership, _branches, _recoveredOutcomes, _cascade, _outcomeRecords, _queries, _appends, _ceiling, _snapshotHorizon);
        _messages = new OutcomeMessages(engine, _ownership);
        _forgetting = new Forgetting(engine, _ownership, _branches, _recoveredOutcomes, _decisions, _messages, _appends);
        _manager = new Manager(engine, _branches, _decisions, _appends, _prepares, _cascade, _outcomes, _outcomeRecords, _messages, _forgetting);
        _records = new CommitRecords(engine, _branches, _decisions, _appends, _prepares, _dependencies, _queries, _messages);
        _finalSteps = new FinalStepRunner(engine, _ownership, _branches, _queries, _records, _manager);
        _dependencyOutcomes = new DependencyOutcomes(engine, _branches, _decisions, _queries, _finalSteps, _manager);
        _voting = new Voting(engine, _ownership, _branches, _recoveredOutcomes, _decisions, _prepares, _votes, _records, _queries, _messages, _finalSteps, _dependencyOutcomes, _manager);
        _outcomeQueries = new OutcomeQueries(engine, _ownership, _branches, _recoveredOutcomes, _decisions, _cascade, _outcomeRecords, _messages, _manager);
        _staged = new StagedCommits(engine, _ownership, _branches, _recoveredOutcomes, _decisions, _votes, _queries, _cascade, _ceiling, _appends);
    }

    public int Partition => _ownership.Partition;

    /// <summary>Not a log, but one state in a row of its own.</summary>
    public bool IsRow => _ownership.IsRow;

    /// <summary>It has asked for a flush; of rows there may be too many to look at each.</summary>
    public bool AwaitsFlush { get; set; }

    /// <summary>Its place among the <see cref="RestlessRows"/>, or -1.</summary>
    public int RestlessAt { get; set; } = -1;

    /// <summary>Position after this activation's fence record: larger than that of every earlier owner.</summary>
    public long Epoch => _ownership.Epoch;

    /// <summary>Fenced, recovered and serving.</summary>
    public bool IsActive => _ownership.IsActive;

    /// <summary>Branches that are neither decided nor forgotten; for diagnostics and tests.</summary>
    public IEnumerable<Branch> Branches => _branches.All;

    /// <summary>What it has to remember, in transactions: a measure of how much is done here.</summary>
    public int Load => _branches.All.Count + _decisions.All.Count;

    /// <summary>Decisions that are not forgotten; for diagnostics and tests.</summary>
    public IEnumerable<Decision> Decisions => _decisions.All;

    /// <summary>What it holds versions of, in no order; for diagnostics and tests.</summary>
    public IEnumerable<Participant> Participants => _participants.All;

    /// <summary>Those of the grain class that the host watches.</summary>
    public IReadOnlyList<Participant> Watched => _participants.Watched;

    /// <summary>For diagnostics.</summary>
    public override string ToString() =>
        $"epoch {Epoch}, active {IsActive}, {_appends}, {_recoveredOutcomes.Count} recovered outcomes";

    /// <summary>For people.</summary>
    private string Name => _ownership.Name;

    private EngineOptions Options => _engine.Options;

    public Participant GetParticipant(ParticipantKey key) => _participants.Get(key);

    /// <summary>The same, if there is one.</summary>
    public Participant? FindParticipant(ParticipantKey key) => _participants.Find(key);

    /// <summary>The running branch that a transaction's accesses go to, or <see langword="null"/> when it must not run here (R1c).</summary>
    public Branch? BranchForAccess(LocalTransaction transaction) => _branches.ForAccess(transaction);

    /// <summary>Whether an attempt may still access states here: it is not over, as far as this owner knows.</summary>
    public bool TakesAccessesOf(LocalTransaction transaction) => _branches.TakesAccessesOf(transaction);

    /// <summary>What a transaction does here, if it does anything.</summary>
    public Branch? BranchOf(LocalTransaction transaction) => _branches.Of(transaction);

    /// <summary>The same for one of which nothing is known here.</summary>
    public bool TakesAccessesOf(TransactionId id) => !_branches.IsOver(id);

    /// <summary>Versions to use again for states of a type: a version's content may be filled anew.</summary>
    public SpareVersions SparesOf(StateAdapter? adapter) => _participants.SparesOf(adapter);

    /// <summary>The durable timestamp ceiling (L4).</summary>
    public long Ceiling => _ceiling.Durable;

    public bool HasWork => _appends.HasWork;

    /// <summary>Which log this is, and why the first batch under way was not appended the last time that it was tried, or <see langword="null"/>.</summary>
    public string? LogFailure => _health.Failure;

    /// <summary>The first batch under way was tried more than once, for longer than it takes to repeat an unanswered message: this is more than a hiccup.</summary>
    public bool IsLogOut => _health.IsOut;

    public void Flush()
    {
        if (!_appends.Begins()) return;
        _upkeep.WriteAlong();
        _upkeep.Sent(_appends.Send());
    }

    void IAppendEvents.Appended(LogBatch batch)
    {
        Fenced();
        _upkeep.Appended(batch.Bytes.Length);
        var actions = batch.Actions;
        for (var i = 0; i < actions.Count; i++) OnDurable(actions[i]);
        if (batch.Answers is { } answers)
        {
            foreach (var (question, said) in answers) _ownership.Answer(question, said);
        }

        _upkeep.ConsiderCheckpoint();
    }

    /// <summary>
    /// Nobody can say when the log takes an append again, so nobody waits for that who has not prepared: held prepares are refused, and
    /// readers of snapshots hear of it.
    /// </summary>
    void IAppendEvents.LogOut()
    {
        foreach (var branch in _branches.All.ToArray())
        {
            if (branch.IsUndecided) _engine.DoomWhoAwaitsDecision(branch.Transaction, this);
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

    /// <summary>A branch that a version or an access list names, or <see langword="null"/> when it is over and forgotten.</summary>
    public Branch? Find(BranchRef place) => _branches.Find(place);

    /// <summary>
    /// The participants of a transaction that was only here. They are never changed once made, and one transaction tends to use a
    /// partition just as the one before did, so that the two can share them.
    /// </summary>
    public ParticipantUse[] SoleUse(in ParticipantUse use)
    {
        if (_soleUse is not [var known] || known != use) _soleUse = [use];
        return _soleUse;
    }

    public void OnDependencyQuery(in Message query) => _queries.OnQuery(query);

    public void RefuseParked(Branch branch) => _replies.RefuseParked(branch);

    public bool AwaitOrder(Branch branch, int round) => _replies.AwaitOrder(branch, round);

    /// <inheritdoc cref="Exposure.ExposeAll"/>
    public static bool ExposeAll(Branch branch) => Exposure.ExposeAll(branch);

    /// <inheritdoc cref="Exposure.TryExpose"/>
    public static bool TryExpose(AccessEntry entry) => Exposure.TryExpose(entry);

    public void RemoveVersion(StateVersion version) => _cascade.Remove(version);

    public void OnVote(in Message vote) => _voting.OnVote(vote);

    public void OnVoteQuery(in Message query) => _staged.OnVoteQuery(query);

    public void OnQuery(in Message query) => _outcomeQueries.OnQuery(query);

    public void OnOutcome(in Message outcome) => _outcomes.OnOutcome(outcome);

    public void OnAcknowledge(in Message acknowledgement) => _forgetting.OnAcknowledge(acknowledgement);

    public void OnDependencyAnswer(in Message answer) => _dependencyOutcomes.OnAnswer(answer);

    public void Abandon(TransactionId id) => _outcomes.Abandon(id);

    bool IOwnDecisions.BranchAborts(Branch branch) => _manager.BranchAborts(branch);
}
