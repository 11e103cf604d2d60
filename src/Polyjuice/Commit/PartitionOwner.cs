using Polyjuice.Execution;
using Polyjuice.Hosting;
using Polyjuice.Storage;

namespace Polyjuice.Commit;

/// <summary>
/// The activation that owns a log partition: it holds the versions of the partition's participants, orders transactions, votes,
/// and manages those whose commit record goes into its log. Everything on its engine's turn.
/// </summary>
/// <remarks>The rules named in comments (R1, V3, L4, …) are those of the protocol description.</remarks>
internal sealed partial class PartitionOwner : IAppendEvents
{
    private readonly TransactionEngine _engine;
    private readonly IPartitionLog _log;
    private readonly LogHealth _health;
    private readonly Ownership _ownership;
    private readonly Participants _participants;
    private readonly TimestampCeiling _ceiling;
    private readonly AppendPipeline _appends;
    private readonly LogUpkeep _upkeep;
    private readonly Dictionary<TransactionId, Branch> _branches = [];
    private readonly BranchTable _places = new();
    private readonly Dictionary<TransactionId, Decision> _decisions = [];
    private readonly Dictionary<NodeId, Queue<Branch>> _finished = [];
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
        _snapshotHorizon = new SnapshotHorizon(engine.Options.TransactionTimeoutMicroseconds);
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
    public IEnumerable<Branch> Branches => _branches.Values;

    /// <summary>What it has to remember, in transactions: a measure of how much is done here.</summary>
    public int Load => _branches.Count + _decisions.Count;

    /// <summary>Decisions that are not forgotten; for diagnostics and tests.</summary>
    public IEnumerable<Decision> Decisions => _decisions.Values;

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
    public Branch? BranchForAccess(LocalTransaction transaction)
    {
        var branch = transaction.BranchAt(this);
        if (branch is not null) return branch.State == BranchState.Running ? branch : null;
        if (IsOver(transaction.Id)) return null;
        branch = new Branch(this, transaction) { NextInTransaction = transaction.Branches, Touched = _engine.Now };
        transaction.Branches = branch;
        _branches.Add(transaction.Id, branch);
        _places.Add(branch);
        transaction.UnfinishedBranches++;
        _engine.LookAfter(transaction);
        _ownership.Stir();
        return branch;
    }

    /// <summary>Whether an attempt may still access states here: it is not over, as far as this owner knows.</summary>
    public bool TakesAccessesOf(LocalTransaction transaction) =>
        transaction.BranchAt(this) is { } branch ? branch.State == BranchState.Running : !IsOver(transaction.Id);

    /// <summary>What a transaction does here, if it does anything.</summary>
    public Branch? BranchOf(LocalTransaction transaction) =>
        Find(transaction.Id) is { } branch && branch.Transaction == transaction ? branch : null;

    /// <summary>The same for one of which nothing is known here.</summary>
    public bool TakesAccessesOf(TransactionId id) => !IsOver(id);

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
        foreach (var branch in _branches.Values.ToArray())
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
            if (action.Kind == LogRecordKind.Prepare) ApplyAbort(action.Branch!);
            else if (action.Kind == LogRecordKind.Commit)
            {
                action.Decision!.State = DecisionState.Collecting;
                DecideAbort(action.Decision);
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
                if (action.Branch is { State: BranchState.Ordered } branch && branch.Round == action.Round)
                {
                    branch.State = BranchState.Logged;
                    SendVote(branch);
                }

                break;
            case LogRecordKind.Commit:
                Recorded(action.Decision!);
                break;
            case LogRecordKind.Resolved:
                Resolved(action.Decision!, action.Committed);
                break;
            case LogRecordKind.Outcome:
                OutcomeDurable(action);
                break;
            case LogRecordKind.Forget:
                Forget(action.Decision!);
                break;
            case LogRecordKind.OldestLive:
                _ = _upkeep.CheckpointAsync();
                break;
        }
    }

    /// <summary>A branch that a version or an access list names, or <see langword="null"/> when it is over and forgotten.</summary>
    public Branch? Find(BranchRef place) => _places.Find(place);

    /// <summary>
    /// The participants of a transaction that was only here. They are never changed once made, and one transaction tends to use a
    /// partition just as the one before did, so that the two can share them.
    /// </summary>
    public ParticipantUse[] SoleUse(in ParticipantUse use)
    {
        if (_soleUse is not [var known] || known != use) _soleUse = [use];
        return _soleUse;
    }

    /// <summary>Whether an attempt that has no running branch here must not get one.</summary>
    private bool IsOver(TransactionId id) =>
        IsDone(id) || _branches.ContainsKey(id) || _recoveredOutcomes.Contains(id) || _engine.HasEnded(id);

    /// <summary>Whether the agent's oldest live transaction has passed this one: whatever is still said of it is stale (R1c).</summary>
    private bool IsDone(TransactionId id) => _engine.Breaks != ProtocolBreaks.DoneMem && id.Sequence < _engine.OldestLiveOf(id.Node);

    private Branch? Find(TransactionId id) => _branches.GetValueOrDefault(id);

    private Decision Open(Decision decision)
    {
        decision.Owner = this;
        _decisions.Add(decision.Id, decision);
        _engine.LookAfter(decision);
        return decision;
    }

    private void Forget(Decision decision)
    {
        if (_decisions.Remove(decision.Id)) _engine.Rest(decision);
    }

    /// <summary>Remembers that a transaction can never commit here (V4, R1c).</summary>
    private Branch Entomb(TransactionId id)
    {
        var transaction = _engine.FindOrCreateShell(id);
        var branch = new Branch(this, transaction) { State = BranchState.Aborted };
        _branches.Add(id, branch);
        transaction.UnfinishedBranches++;
        _engine.Events?.Ended(_ownership, id, committed: false);
        _ownership.Stir();
        Finish(branch);
        return branch;
    }

    /// <summary>Queues a branch to be forgotten once its agent can't ask any more.</summary>
    private void Finish(Branch branch)
    {
        if (branch.IsFinished) return;
        branch.IsFinished = true;
        branch.Transaction.UnfinishedBranches--;
        _engine.RestIfDone(branch.Transaction);
        if (branch.DependsOn is { } dependencies)
        {
            branch.DependsOn = null;
            foreach (var dependency in dependencies)
            {
                dependency.Dependents--;
                TryFinish(dependency);
            }
        }

        if (IsRow && branch.State == BranchState.Committed && branch.WillLog && (branch.Manager != Partition || branch.Parts.Length == 1)) _upkeep.NoteOver(branch.Id);
        if (!_finished.TryGetValue(branch.Agent, out var queue)) _finished.Add(branch.Agent, queue = new Queue<Branch>());
        queue.Enqueue(branch);
    }

    /// <summary>An outcome is kept until it is in the log, and until those that depend on it are finally confirmed (V6).</summary>
    private void TryFinish(Branch branch)
    {
        if (branch.IsFinished) return;
        switch (branch.State)
        {
            case BranchState.Aborted:
                Finish(branch);
                break;
            case BranchState.Committed when (branch.Dependents == 0 || _engine.Breaks == ProtocolBreaks.DepOutcomeKept) && (branch.OutcomeLogged || !branch.WillLog):
                Finish(branch);
                break;
        }
    }

    private void ForgetFinished()
    {
        foreach (var (node, queue) in _finished)
        {
            if (node.IsForeign && queue.Count == 0) _finished.Remove(node);

            var oldestLive = _engine.OldestLiveOf(node);
            while (queue.TryPeek(out var branch) && branch.Id.Sequence < oldestLive)
            {
                queue.Dequeue();
                if (branch.State == BranchState.Committed && branch.Dependents > 0 && _engine.Breaks != ProtocolBreaks.DepOutcomeKept)
                {
                    // A reader came to depend on it meanwhile: it is finished again when that one is.
                    branch.IsFinished = false;
                    branch.Transaction.UnfinishedBranches++;
                    _engine.LookAfter(branch.Transaction);
                    continue;
                }

                if (branch.State == BranchState.Committed) _engine.Events?.Forgot(_ownership, branch.Id);
                _branches.Remove(branch.Id);
                _places.Remove(branch);
                Unpin(branch);

                // The agent has told its caller, which may have been all that this was kept for.
                if (_decisions.TryGetValue(branch.Id, out var decision)) TryForget(decision);
            }

            if (queue.Count > 0) _engine.AskForNews(node);
        }
    }

    /// <summary>A branch that is forgotten looks at no version any more. A record for resuming may: those versions stay pinned.</summary>
    private static void Unpin(Branch branch)
    {
        if (branch.Transaction.Policy.HasEarlyValidation) return;
        foreach (var entry in branch.Entries)
        {
            entry.Read.Unpin();
            entry.Write?.Unpin();
        }
    }
}
