using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// What is repeated because messages get lost, and what ends because time is up. On its engine's turn.
/// </summary>
internal sealed class Housekeeping(
    OwnerParts shared, Ownership ownership, Branches branches, RecoveredOutcomes recovered, Decisions decisions,
    AppendPipeline appends, Votes votes, Cascade cascade, DependencyQueries queries, OutcomeMessages messages,
    StagedCommits staged, Manager manager, Forgetting forgetting)
{
    /// <summary>Whether anything here may need a reminder later.</summary>
    public bool HasUnfinished =>
        branches.All.Count > 0 || decisions.All.Count > 0 || recovered.Count > 0 || appends.Lingers;

    /// <summary>Repeats what is overdue.</summary>
    /// <returns>Whether it may be looked at more seldom until something happens here: everything is decided, and waits
    /// for others' confirms or for a store.</returns>
    public bool Tick(long now)
    {
        if (!ownership.IsActive) return false;
        forgetting.Tick(now);
        if (appends.IsPressed) LookAtAll(now);
        appends.HurryIfDue(now);
        return ownership.IsRow && IsCalm;
    }

    /// <summary>
    /// Its host wants it at rest: what lingers here goes out, and who lets confirms linger that are waited for here is
    /// asked for them.
    /// </summary>
    public void SeekRest()
    {
        appends.Hurry();
        foreach (var decision in decisions.All)
        {
            if (decision is { State: DecisionState.Committed, MustAcknowledge: { Count: > 0 } waiting }
                && shared.Now - waiting.ToldAt >= shared.Options.ResendMicroseconds) messages.Hurry(decision);
        }
    }

    /// <summary>Thousands of rows are like that while confirms linger.</summary>
    private bool IsCalm
    {
        get
        {
            foreach (var branch in branches.All)
            {
                if (!branch.IsFinished && branch.State != BranchState.Committed) return false;
            }

            foreach (var decision in decisions.All)
            {
                if (decision.State is not (DecisionState.Committed or DecisionState.Aborted)) return false;
            }

            return !appends.IsPressed;
        }
    }

    /// <summary>
    /// A row that has hardly any room left wants to hear of outcomes earlier than was thought. It has few
    /// transactions, or it would have none.
    /// </summary>
    private void LookAtAll(long now)
    {
        foreach (var branch in branches.All.ToArray()) Look(branch, now);
        foreach (var decision in decisions.All.ToArray()) Look(decision, now);
    }

    /// <summary>Repeats what is overdue of a transaction here.</summary>
    /// <returns>When something is due again that nothing but time brings.</returns>
    public long Look(Branch branch, long now)
    {
        if (branch.IsFinished || ownership.IsStopped) return DueWheel<LocalTransaction>.Never;
        if (!ownership.IsActive) return now + shared.Options.ResendMicroseconds;
        TickBranch(branch, now);

        // While it runs, only a message brings anything, or its agent's end.
        if (branch.IsFinished || branch.State == BranchState.Running) return DueWheel<LocalTransaction>.Never;
        var wait = AwaitsOutcome(branch) ? ResendOutcomes(branch.Manager) : shared.Options.ResendMicroseconds;
        var due = branch.Touched + wait;
        return due > now ? due : now + shared.Options.ResendMicroseconds;
    }

    /// <inheritdoc cref="Look(Branch, long)"/>
    public long Look(Decision decision, long now)
    {
        if (ownership.IsStopped) return DueWheel<Decision>.Never;
        if (!ownership.IsActive) return now + shared.Options.ResendMicroseconds;
        TickDecision(decision, now);
        if (decisions.Find(decision.Id) != decision) return DueWheel<Decision>.Never;
        var due = decision.State switch
        {
            DecisionState.Collecting =>
                decision.Touched
                + Math.Min(shared.Options.ResendMicroseconds, shared.Options.PrepareTimeoutMicroseconds),
            DecisionState.Committed when decision.MustAcknowledge is [var first, ..] waiting && !TellsAgent(decision) =>
                waiting.ToldAt + ResendOutcomes(first),
            _ => decision.Touched + shared.Options.ResendMicroseconds,
        };
        return due > now ? due : now + shared.Options.ResendMicroseconds;
    }

    private void TickBranch(Branch branch, long now)
    {
        var isAgentDone = shared.Agents.IsAgentDone(branch.Id);
        switch (branch.State)
        {
            case BranchState.Running when isAgentDone:
                cascade.Abort(branch);
                break;
            case BranchState.Ordered when isAgentDone && !branch.WillLog:
                // A reader without a record: whatever became of it, it holds nothing any more.
                branch.State = BranchState.Committed;
                shared.Lifecycle.End(branch.Transaction);
                branches.TryFinish(branch);
                break;
            case BranchState.Ordered when !branch.WillLog && now - branch.Touched >= shared.Options.ResendMicroseconds:
                votes.Send(branch);
                shared.Agents.AskForNews(branch.Agent);
                break;
            case BranchState.Logged when branch.Manager >= 0
                && now - branch.Touched >= shared.Options.ResendMicroseconds:
                if (branch.Manager != ownership.Partition || !decisions.Contains(branch.Id))
                {
                    votes.Send(branch);
                    votes.AskManager(branch);
                }

                branch.Touched = now;
                break;
            case BranchState.Committed when AwaitsOutcome(branch)
                && now - branch.Touched >= ResendOutcomes(branch.Manager):
                branch.Touched = now;
                votes.AskManager(branch);
                break;
        }
    }

    /// <summary>Whether its agent has to be told again. What a node says to itself arrives.</summary>
    private bool TellsAgent(Decision decision) =>
        decision.Id.Node != shared.Node && !shared.Agents.IsAgentDone(decision.Id);

    /// <summary>Whether it waits to hear from its manager that the outcome may be logged.</summary>
    private bool AwaitsOutcome(Branch branch) =>
        branch is { State: BranchState.Committed, WillLog: true, OutcomeLogged: false, OutcomeQueued: false }
        && branch.Manager >= 0
        && branch.Manager != ownership.Partition;

    /// <summary>
    /// How long a confirm or its acknowledgement may take before it is worth a question: rows take their time.
    /// </summary>
    private long ResendOutcomes(int other) =>
        (ownership.IsRow || PartitionNames.IsRow(other)) && !appends.IsPressed
            ? shared.Options.ResendMicroseconds + shared.Options.RowLingerMicroseconds
            : shared.Options.ResendMicroseconds;

    /// <summary>
    /// None, once the caller has been told, where nothing can be prepared before the commit record has gone.
    /// </summary>
    private long PatienceWith(Acknowledgers waiting, int first) =>
        ownership.IsRow && waiting.Hurried == 0 && appends.IsFull ? 0 : ResendOutcomes(first);

    private void TickDecision(Decision decision, long now)
    {
        switch (decision.State)
        {
            case DecisionState.Collecting when decision.IsStaged
                && (decision.IsRecovered || decision.AwaitsDependencies):
                if (now - decision.Touched >= shared.Options.ResendMicroseconds) staged.AskAgain(decision);
                break;
            case DecisionState.Collecting when now - decision.Touched >= shared.Options.PrepareTimeoutMicroseconds:
                manager.TryAbort(decision);
                break;
            case DecisionState.Recorded when now - decision.Touched >= shared.Options.ResendMicroseconds:
                queries.Ask(decision);
                break;
            case DecisionState.Committed or DecisionState.Aborted:
                if (decision is { State: DecisionState.Committed, MustAcknowledge: [var first, ..] waiting }
                    && now - waiting.ToldAt >= PatienceWith(waiting, first))
                {
                    if (appends.IsPressed) messages.Hurry(decision);
                    else messages.SendCommit(decision);
                }

                if (now - decision.Touched >= shared.Options.ResendMicroseconds)
                {
                    decision.Touched = now;

                    if (TellsAgent(decision))
                    {
                        messages.Tell(decision);
                        shared.Agents.AskForNews(decision.Id.Node);
                    }
                }

                forgetting.TryForget(decision);
                break;
        }
    }
}
