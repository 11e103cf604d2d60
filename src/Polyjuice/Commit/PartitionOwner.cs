using Polyjuice.Execution;
using Polyjuice.Hosting;
using Polyjuice.Storage;

namespace Polyjuice.Commit;

/// <summary>
/// The activation that owns a log partition: it holds the versions of the partition's participants, orders transactions, votes,
/// and manages those whose commit record goes into its log. Everything on its engine's turn.
/// </summary>
/// <remarks>The rules named in comments (R1, V3, L4, …) are those of the protocol description.</remarks>
internal sealed partial class PartitionOwner
{
    private readonly TransactionEngine _engine;
    private readonly IPartitionLog _log;
    private readonly LogHealth _health;
    private readonly Dictionary<ParticipantKey, Participant> _participants = [];
    private readonly Dictionary<TransactionId, Branch> _branches = [];
    private readonly BranchTable _places = new();
    private List<Participant>? _watched;
    private readonly Dictionary<Type, SpareVersions> _spares = [];
    private readonly Dictionary<TransactionId, Decision> _decisions = [];
    private readonly Dictionary<NodeId, Queue<Branch>> _finished = [];
    private ParticipantUse[] _soleUse = [];

    public PartitionOwner(TransactionEngine engine, int partition, IPartitionLog log)
    {
        _engine = engine;
        _log = log;
        Partition = partition;
        IsRow = PartitionNames.IsRow(partition);
        _health = new LogHealth(engine, partition, log.Location);
        _filling = new LogBatch(engine.Names, IsRow ? RowBatchBytes : LogBatchBytes);

        // The error of L3 gives up one batch, as if nothing could be behind it.
        _underWayMax = engine.Breaks == ProtocolBreaks.ErrMeansNotWritten ? 1 : log.AppendsUnderWayMax;
        if (!IsRow && _underWayMax == 1 && engine.Options.GatherAppendsFromMicroseconds > 0) _gathering = new AppendGathering(engine.Options.GatherAppendsFromMicroseconds);
        _snapshotHorizon = new SnapshotHorizon(engine.Options.TransactionTimeoutMicroseconds);
    }

    public int Partition { get; }

    /// <summary>Not a log, but one state in a row of its own.</summary>
    public bool IsRow { get; }

    /// <summary>It has asked for a flush; of rows there may be too many to look at each.</summary>
    public bool AwaitsFlush { get; set; }

    /// <summary>Its place among the <see cref="RestlessRows"/>, or -1.</summary>
    public int RestlessAt { get; set; } = -1;

    /// <summary>Position after this activation's fence record: larger than that of every earlier owner.</summary>
    public long Epoch { get; private set; }

    /// <summary>Fenced, recovered and serving.</summary>
    public bool IsActive { get; private set; }

    /// <summary>Branches that are neither decided nor forgotten; for diagnostics and tests.</summary>
    public IEnumerable<Branch> Branches => _branches.Values;

    /// <summary>What it has to remember, in transactions: a measure of how much is done here.</summary>
    public int Load => _branches.Count + _decisions.Count;

    /// <summary>Decisions that are not forgotten; for diagnostics and tests.</summary>
    public IEnumerable<Decision> Decisions => _decisions.Values;

    /// <summary>What it holds versions of, in no order; for diagnostics and tests.</summary>
    public IEnumerable<Participant> Participants => _participants.Values;

    /// <summary>Those of the grain class that the host watches.</summary>
    public IReadOnlyList<Participant> Watched => _watched ?? [];

    /// <summary>For diagnostics.</summary>
    public override string ToString() =>
        $"epoch {Epoch}, active {IsActive}, appends at {_position} ({_underWay.Count} under way), {_full.Count} full batches and {_filling.Actions.Count} actions wait, {_recoveredOutcomes.Count} recovered outcomes";

    /// <summary>For people.</summary>
    private string Name => _engine.Names.Describe(Partition);

    private EngineOptions Options => _engine.Options;

    public Participant GetParticipant(ParticipantKey key)
    {
        if (_participants.TryGetValue(key, out var participant)) return participant;
        _participants.Add(key, participant = new Participant(this, key));
        if (key.GrainClass == _engine.WatchedClass) Watch(participant);
        return participant;
    }

    private void Watch(Participant participant)
    {
        (_watched ??= []).Add(participant);
        _engine.NoteWatched();
    }

    /// <summary>The same, if there is one.</summary>
    public Participant? FindParticipant(ParticipantKey key) => _participants.GetValueOrDefault(key);

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
        Stir();
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
    public SpareVersions SparesOf(StateAdapter? adapter)
    {
        var type = adapter?.StateType ?? typeof(object);
        if (!_spares.TryGetValue(type, out var spares)) _spares.Add(type, spares = new SpareVersions());
        return spares;
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

    private void RequestFlush()
    {
        if (IsRow) _engine.AwaitFlush(this);
        _engine.RequestFlush();
    }

    /// <summary>Something here may have to be repeated, or forgotten, later.</summary>
    private void Stir()
    {
        if (IsRow) _engine.AwaitTick(this);
    }

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
        _engine.Events?.Ended(this, id, committed: false);
        Stir();
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

        if (IsRow && branch.State == BranchState.Committed && branch.WillLog && (branch.Manager != Partition || branch.Parts.Length == 1)) _over.Add(branch.Id);
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

                if (branch.State == BranchState.Committed) _engine.Events?.Forgot(this, branch.Id);
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

    /// <summary>
    /// Answers who asked, not who owns its partition by now: an owner that does not know that it was deposed would ask for ever, and
    /// finds out as soon as it logs the answer.
    /// </summary>
    private void Answer(in Message question, in Message answer)
    {
        if (question.From == NodeId.None || question.From == _engine.Node) SendToPartition(question.FromPartition, answer);
        else Send(question.From, answer);
    }

    private void Send(NodeId destination, in Message message)
    {
        _engine.Events?.Said(this, message);
        _engine.Send(destination, message);
    }

    private void SendToPartition(int partition, in Message message)
    {
        _engine.Events?.Said(this, message);
        _engine.SendToPartition(partition, message);
    }
}
