using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Versions;

namespace Polyjuice.Partitions;

/// <summary>
/// What transactions do at a partition, from their first access there until nobody can ask any more. R1c: what has
/// ended is remembered until its agent's oldest live transaction has passed it, so that nothing begins twice. On its
/// engine's turn.
/// </summary>
internal sealed class Branches(
    OwnerParts shared, PartitionOwner owner, Ownership ownership, RecoveredOutcomes recovered, LogUpkeep upkeep)
{
    private readonly Dictionary<TransactionId, Branch> _branches = [];
    private readonly BranchTable _places = owner.Places;

    /// <summary>Those that are not forgotten.</summary>
    public Dictionary<TransactionId, Branch>.ValueCollection All => _branches.Values;

    /// <summary>Those that are forgotten next.</summary>
    public FinishedBranches Finished { get; } = new();

    public Branch? Find(TransactionId id) => _branches.GetValueOrDefault(id);

    /// <summary>
    /// A branch that a version or an access list names, or <see langword="null"/> when it is over and forgotten.
    /// </summary>
    public Branch? Find(BranchRef place) => _places.Find(place);

    /// <summary>
    /// The running branch that a transaction's accesses go to, or <see langword="null"/> when it must not run here.
    /// </summary>
    public Branch? ForAccess(LocalTransaction transaction)
    {
        var branch = transaction.BranchAt(owner);
        if (branch is not null) return branch.State == BranchState.Running ? branch : null;
        if (IsOver(transaction.Id)) return null;
        Add(branch = new Branch(owner, transaction) { Touched = shared.Now });
        shared.DueLooks.LookAfter(transaction);
        ownership.Stir();
        return branch;
    }

    /// <summary>What a transaction does here, if it does anything.</summary>
    public Branch? Of(LocalTransaction transaction) =>
        Find(transaction.Id) is { } branch && branch.Transaction == transaction ? branch : null;

    /// <summary>Whether an attempt may still access states here: it is not over, as far as this owner knows.</summary>
    public bool TakesAccessesOf(LocalTransaction transaction) =>
        transaction.BranchAt(owner) is { } branch ? branch.State == BranchState.Running : !IsOver(transaction.Id);

    /// <summary>Whether an attempt that has no running branch here must not get one.</summary>
    public bool IsOver(TransactionId id) =>
        IsDone(id) || _branches.ContainsKey(id) || recovered.Contains(id) || shared.Ended.HasEnded(id);

    /// <summary>
    /// Whether the agent's oldest live transaction has passed this one: whatever is still said of it is stale.
    /// </summary>
    public bool IsDone(TransactionId id) =>
        shared.Breaks != ProtocolBreaks.DoneMem && id.Sequence < shared.Agents.OldestLiveOf(id.Node);

    /// <summary>One that the log tells of, and which is undecided.</summary>
    public Branch Recover(RecoveredPrepare prepare)
    {
        var transaction = shared.Transactions.FindOrCreateShell(prepare.Id, prepare.Type);
        var branch = new Branch(owner, transaction)
        {
            State = BranchState.Logged,
            WillLog = true,
            HasVoted = true,
            Round = prepare.Round,
            Timestamp = prepare.Timestamp,
            Manager = prepare.Manager,
            ManagerEpoch = prepare.ManagerEpoch,
            Parts = prepare.Parts,
            IsStaged = prepare.IsStaged,
            Record = PrepareRecord.Written,
            PreparedIn = -1,
        };
        Add(branch);
        shared.DueLooks.Hasten(transaction, shared.Now + shared.Options.ResendMicroseconds);
        return branch;
    }

    /// <summary>Remembers that a transaction can never commit here (V4, R1c).</summary>
    public void Entomb(TransactionId id)
    {
        var transaction = shared.Transactions.FindOrCreateShell(id);
        var branch = new Branch(owner, transaction) { State = BranchState.Aborted };
        _branches.Add(id, branch);
        transaction.UnfinishedBranches++;
        shared.Events?.Ended(ownership, id, committed: false);
        ownership.Stir();
        Finish(branch);
    }

    /// <summary>A stand-in for a branch that is forgotten, so that its acknowledgement can name it.</summary>
    public Branch StandIn(TransactionId id) =>
        new(owner, shared.Transactions.FindOrCreateShell(id)) { State = BranchState.Committed, IsFinished = true };

    /// <summary>
    /// An outcome is kept until it is in the log, and until those that depend on it are finally confirmed (V6).
    /// </summary>
    public void TryFinish(Branch branch)
    {
        if (branch.IsFinished) return;
        switch (branch.State)
        {
            case BranchState.Aborted:
                Finish(branch);
                break;
            case BranchState.Committed when (branch.Dependents == 0 || shared.Breaks == ProtocolBreaks.DepOutcomeKept)
                && (branch.OutcomeLogged || !branch.WillLog):
                Finish(branch);
                break;
        }
    }

    /// <summary>It depends on nobody any more.</summary>
    public void ReleaseDependencies(Branch branch)
    {
        if (branch.DependsOn is not { } dependencies) return;
        branch.DependsOn = null;
        foreach (var dependency in dependencies)
        {
            dependency.Dependents--;
            TryFinish(dependency);
        }
    }

    /// <summary>Forgets a finished branch, unless somebody depends on it again.</summary>
    /// <returns>Whether it is forgotten.</returns>
    public bool TryForget(Branch branch)
    {
        if (branch.State == BranchState.Committed && branch.Dependents > 0
            && shared.Breaks != ProtocolBreaks.DepOutcomeKept)
        {
            // A reader came to depend on it meanwhile: it is finished again when that one is.
            branch.IsFinished = false;
            branch.Transaction.UnfinishedBranches++;
            shared.DueLooks.LookAfter(branch.Transaction);
            return false;
        }

        if (branch.State == BranchState.Committed) shared.Events?.Forgot(ownership, branch.Id);
        _branches.Remove(branch.Id);
        _places.Remove(branch);
        Unpin(branch);
        return true;
    }

    private void Add(Branch branch)
    {
        var transaction = branch.Transaction;
        branch.NextInTransaction = transaction.Branches;
        transaction.Branches = branch;
        _branches.Add(transaction.Id, branch);
        _places.Add(branch);
        transaction.UnfinishedBranches++;
    }

    /// <summary>Queues a branch to be forgotten once its agent can't ask any more.</summary>
    private void Finish(Branch branch)
    {
        branch.IsFinished = true;
        branch.Transaction.UnfinishedBranches--;
        shared.DueLooks.RestIfDone(branch.Transaction);
        ReleaseDependencies(branch);
        if (ownership.IsRow && branch is { State: BranchState.Committed, WillLog: true }
            && (branch.Manager != ownership.Partition || branch.Parts.Length == 1))
            upkeep.NoteOver(branch.Id);
        Finished.Add(branch);
    }

    /// <summary>
    /// A branch that is forgotten looks at no version any more. A record for resuming may: those versions stay pinned.
    /// </summary>
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
