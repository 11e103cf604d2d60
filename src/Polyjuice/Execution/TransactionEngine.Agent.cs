using Polyjuice.Commit;
using Polyjuice.Diagnostics.Spans;
using Polyjuice.Hosting;
using Polyjuice.Policies;
using Polyjuice.Reconnaissance;

namespace Polyjuice.Execution;

// The agent: starts attempts, runs bodies, retries, resumes.
internal sealed partial class TransactionEngine
{
    private const int MaxResumes = 16;

    /// <summary>
    /// Runs a transaction: the body, its commit, and again after retriable aborts. Completes when it is committed and durable;
    /// otherwise throws what <see cref="IAbortExceptionFactory"/> makes. The body may run more than once.
    /// </summary>
    /// <param name="request">Type and bounds.</param>
    /// <param name="method">The root method, first in every caller path.</param>
    /// <param name="body">What to run; the frame is its ambient context. Arguments must be fresh for every run.</param>
    /// <param name="cancellationToken">Aborts it, unless it has gone too far.</param>
    public Task RunAsync(TransactionRequest request, GrainMethod method, Func<CallFrame, Task> body, CancellationToken cancellationToken)
    {
        var delegated = new DelegateBody(body);
        Run(request, method, delegated, cancellationToken);
        return delegated.Completion;
    }

    /// <summary>The same for hosts that run many: the body is also told how it ended.</summary>
    /// <param name="request">Type and bounds.</param>
    /// <param name="method">The root method, first in every caller path.</param>
    /// <param name="body">What to run, and who is told.</param>
    /// <param name="cancellationToken">Aborts it, unless it has gone too far.</param>
    public void Run(TransactionRequest request, GrainMethod method, ITransactionBody body, CancellationToken cancellationToken)
    {
        OpenTime.Opened(body);
        if (SpanSource.IsOn && TransactionSpan.Begin(request.Type, Context.Now) is { } span)
            request = new TracedRequest(request, span);
        _ = RunOpened(request, method, body, cancellationToken);
    }

    private Task RunOpened(
        TransactionRequest request, GrainMethod method, ITransactionBody body, CancellationToken cancellationToken) =>
        Context.IsStopped || Admission.TryEnter(request, Paths.Root(request.Type, method).TypeId) ? RunAdmitted(request, method, body, cancellationToken) : RunWhenAdmitted(request, method, body, cancellationToken);

    private Task RunAdmitted(TransactionRequest request, GrainMethod method, ITransactionBody body, CancellationToken cancellationToken) => AdmissionChoice.AdmissionOf(request, method, request.AccessSet is not null) is var admission and not PolicyAdmission.Run
        ? RunPlanned(admission, request, method, body, cancellationToken)
        : RunAttempts(agent: null, request, method, body, cancellationToken);

    /// <summary>Runs attempts until one commits or there is to be no other.</summary>
    /// <param name="agent">The first, if it has been begun.</param>
    /// <param name="request">Type and bounds.</param>
    /// <param name="method">The root method.</param>
    /// <param name="body">What to run, and who is told.</param>
    /// <param name="cancellationToken">The caller's.</param>
    private async Task RunAttempts(AgentTransaction? agent, TransactionRequest request, GrainMethod method, ITransactionBody body, CancellationToken cancellationToken)
    {
        Exception? failure = null;
        try
        {
            Exceptions.RefuseIfStopped(request, attempts: 1);

            // Every local that outlives an await is paid for by every transaction, so what only a retry needs is asked for again.
            agent ??= Start(request, method, body, earlier: null, cancellationToken);
            for (var attempt = 1; ; attempt++)
            {
                while (agent.Reserving is not null)
                {
                    await agent.Reserving.Over;
                    agent = StartReservedBody(agent, request, method, body);
                }

                while (true)
                {
                    if (agent.Watch is { } watch) await watch.Over;
                    if (!EndBody(agent)) break;
                    await Timers.Delay(0);
                    agent.Failure = null;
                    if (agent.Transaction.IsDoomed) break;
                    StartBody(agent, Paths.Root(request.Type, method), body);
                }

                Conclude(agent);
                DrainNow();
                if (!agent.IsComplete) await agent.Completion;
                if (!TryEnd(agent, request, body, attempt, out var delay)) break;
                await Timers.Delay(delay);
                Exceptions.RefuseIfStopped(request, attempt);
                if (!Admission.TryEnter(request, agent.Transaction.TypeId))
                    await Admission.Await(request, agent.Transaction.TypeId, agent.Transaction.FirstAttempt >> HybridClock.LogicalBits, agent.Transaction.Deadline, attempt, agent.Cancellation);
                if (Again(agent, request, method, body) is { } next)
                {
                    agent = next;
                    continue;
                }

                // What a retry alone needs is not to be a local here.
                await PlanAgain(agent, request, method, body);
                agent = agent.Transaction.Reservations!.TakeNext();
            }
        }
        catch (Exception exception)
        {
            failure = exception;
        }

        OpenTime.Completed(request, body, failure);
    }

    /// <summary>An attempt is complete: says whether there is to be another one, and after how long.</summary>
    /// <exception cref="Exception">What the caller gets instead of another attempt.</exception>
    private bool TryEnd(AgentTransaction agent, TransactionRequest request, ITransactionBody body, int attempt, out long delay)
    {
        var transaction = agent.Transaction;
        var abort = agent.Result;
        Finish(agent);
        if (request is TracedRequest { Span: var span }) span.Attempted(transaction, attempt);
        delay = 0;
        var type = Context.Statistics.OfType(transaction.TypeId, transaction.Type);
        type.Attempts++;
        if (abort is null)
        {
            Context.Statistics.Commits++;
            Metrics.Committed();
            if (Metrics.TimesTransactions) Metrics.Took(Math.Max(0, Context.Now - (transaction.FirstAttempt >> HybridClock.LogicalBits)) + request.WaitedMicroseconds, transaction.Type);
            _backoff.Committed(transaction.Policy, transaction.TypeId, attempt - 1);
            Traces.Recorder?.Attempt(transaction, request.WaitedMicroseconds, attempt, AbortReason.None, body);
            if (attempt > 1) Metrics.Attempts(attempt);
            return false;
        }

        Context.Statistics.AbortsByReason[(int)abort.Reason]++;
        if (abort.Reason != AbortReason.UserException) type.Aborts++;
        Metrics.Aborted(abort.Reason, transaction.Type);
        abort = abort with { Attempts = attempt };
        delay = _backoff.Aborted(transaction.Policy, transaction.TypeId, attempt - 1);

        // A table may say "never back off". What keeps failing waits for something that takes time, and attempts are bounded (I1, I4).
        if (attempt > 8) delay = Math.Max(delay, Math.Min(Context.Options.BackoffMaxMicroseconds, Context.Options.BackoffUnitMicroseconds * (attempt - 8)));

        if (abort.Reason == AbortReason.Deadlock && transaction.HandsOn) delay = Math.Max(delay, StandBack(transaction));

        // A new owner needs time, whatever the policy says: trying at once would use up the attempts before it serves.
        if (abort.Reason is AbortReason.WrongOwner or AbortReason.OwnerChanged or AbortReason.ParticipantLost) delay = Math.Max(delay, Context.Options.TickMicroseconds);
        var refusal = LastWord(agent, request, attempt, abort, delay);
        Traces.Recorder?.Attempt(transaction, request.WaitedMicroseconds, attempt, (refusal ?? abort).Reason, refusal is null ? null : body);
        if (refusal is null) return true;
        throw Exceptions.RefusalOf(request, refusal, refusal.Reason == AbortReason.UserException ? agent.Failure : null);
    }

    /// <summary>What the caller hears instead of another attempt; <see langword="null"/> if there is to be one.</summary>
    private AbortInfo? LastWord(AgentTransaction agent, TransactionRequest request, int attempt, AbortInfo abort, long delay)
    {
        if (!abort.IsRetriable || Context.IsStopped) return abort;

        // It has lasted for a while, and nobody knows for how long it will: that is the caller's to decide.
        if (abort.Reason == AbortReason.LogUnavailable) return abort;
        if (agent.Cancellation.IsCancellationRequested) return abort with { Reason = AbortReason.Cancelled };
        var isLate = Context.Now + delay >= agent.Transaction.Deadline;
        var maxAttempts = request.MaxAttempts > 0 ? request.MaxAttempts : Context.Options.MaxAttempts;
        if (attempt < maxAttempts && !isLate) return null;
        if (!isLate || attempt >= maxAttempts || abort.Reason == AbortReason.LogOverloaded) return abort;

        // That the time is up says less than why.
        return abort with { Reason = abort.LogFailure is null ? AbortReason.Timeout : AbortReason.LogUnavailable };
    }

    /// <summary>
    /// How long one that has lost a cycle of dependencies stands back, in microseconds. The older ones of the cycle have built on it and are aborted with it: if all began again at once, they would meet again as before, and the oldest would win nothing by its age.
    /// So the loser lets them go first: for as long as its attempt has taken, which is about what theirs take, and as long again for what they back off and wait to be ordered; but for no more than half of the time that it has left.
    /// </summary>
    private long StandBack(LocalTransaction transaction) => Math.Max(0, Math.Min(2 * (Context.Now - (transaction.Start >> HybridClock.LogicalBits)), (transaction.Deadline - Context.Now) / 2));

    private long TimeoutOf(TransactionRequest request) => request.TimeoutMicroseconds > 0 ? request.TimeoutMicroseconds : Context.Options.TransactionTimeoutMicroseconds;

    /// <summary>Begins an attempt, and its body.</summary>
    private AgentTransaction Start(TransactionRequest request, GrainMethod method, ITransactionBody body, LocalTransaction? earlier, CancellationToken cancellationToken)
    {
        var path = Paths.Root(request.Type, method);
        var agent = Begin(request, path, earlier, cancellationToken);
        StartBody(agent, path, body);
        return agent;
    }

    private AgentTransaction Begin(TransactionRequest request, PathNode path, LocalTransaction? earlier, CancellationToken cancellationToken)
    {
        var table = Tables.Current;
        var deadline = earlier?.Deadline ?? Context.Now + TimeoutOf(request);
        var transaction = new LocalTransaction(new TransactionId(Context.Node, Live.NextNumber()), request.Type, path.TypeId, table)
        {
            IsReadOnly = request.IsReadOnly,
            Start = Context.Clock.Tick(),
            Deadline = deadline,
            KeepsWrites = table.ChoosesAdmissions && Learning.ArmOf(path.TypeId, Context.Now) != AdmissionArm.HandOn,
        };
        transaction.FirstAttempt = earlier?.FirstAttempt ?? transaction.Start;
        if (table.HasEarlyValidation) transaction.Record = [];
        Context.Statistics.Attempts++;
        if (request.AccessSet is not null || AdmissionChoice.MayRunDry(request)) Context.Statistics.Reservable++;
        var agent = Enlist(transaction, cancellationToken);
        agent.IsAdmitted = !request.IsReadOnly;
        Spans.Begin(request, transaction);
        return agent;
    }

    /// <summary>From now on it is live (R1c).</summary>
    private AgentTransaction Enlist(LocalTransaction transaction, CancellationToken cancellationToken)
    {
        var agent = new AgentTransaction(transaction) { Cancellation = cancellationToken };
        transaction.Agent = agent;
        Live.Add(agent);
        Transactions.Know(transaction);
        Timers.EnsureTicking();
        return agent;
    }

    /// <summary>Runs the body; <see cref="AgentTransaction.Failure"/> says how it ended, unless <see cref="AgentTransaction.Watch"/> is there to be waited for.</summary>
    private void StartBody(AgentTransaction agent, PathNode path, ITransactionBody body)
    {
        var frame = new CallFrame(this, agent.Transaction, path, null, null, 0);
        try
        {
            var run = frame.Activity is { } activity ? SpanSource.Run(activity, body, frame) : body.RunAsync(frame);
            if (!run.IsCompleted)
            {
                agent.Watch = new BodyWatch(body, frame, run);
                return;
            }

            body.RunEnded(frame);
            run.GetAwaiter().GetResult();
        }
        catch (Exception exception)
        {
            agent.Failure = exception;
        }

        frame.Exit(agent.Failure);
    }

    /// <summary>The body has ended, or is not waited for any longer. Says whether it is to run again from where it can be resumed.</summary>
    private bool EndBody(AgentTransaction agent)
    {
        if (agent.Watch is { } watch)
        {
            agent.Watch = null;
            if (!watch.TryExit(out agent.Failure)) return false;
        }

        var transaction = agent.Transaction;
        if (transaction.ResumeAt < 0 || transaction.Doom?.Reason != AbortReason.EarlyValidation || transaction.Generation >= MaxResumes || transaction.IsParallel) return false;

        // The validated prefix is served again; what came after it runs anew.
        Context.Statistics.Resumes++;
        transaction.Doom = null;
        transaction.ReplayUpTo = transaction.ResumeAt;
        transaction.ResumeAt = -1;
        transaction.AccessNumber = 0;
        transaction.Generation++;
        return true;
    }

    /// <summary>The body has ended: commits, or abandons.</summary>
    private void Conclude(AgentTransaction agent)
    {
        var transaction = agent.Transaction;
        if (agent.IsComplete) return;
        if (transaction.ReplayUpTo > transaction.AccessNumber && !transaction.IsDoomed)
        {
            // The resumed body took another, shorter way than the prefix that it was to repeat.
            Lifecycle.Doom(transaction, AbortReason.EarlyValidation, null);
        }

        if (transaction.Doom is not { } doom)
        {
            transaction.Progress = int.MaxValue - 2;
            Waits.Notify(transaction);
            Progress.TellSubscribers(transaction);
        }
        else if (doom.Reason == AbortReason.UserException && !transaction.IsReadOnly && Context.Breaks != ProtocolBreaks.NoOpacity)
        {
            // Opacity: what the user's code threw counts only if what it had read was true.
            transaction.Doom = null;
            agent.PendingAbort = doom;
            agent.ReadsOnly = true;
        }
        else
        {
            Aborts.AbortRunning(agent, doom);
            return;
        }

        Commits.Start(agent);
    }

    /// <summary>The caller is being told: the attempt is no longer live.</summary>
    private void Finish(AgentTransaction agent)
    {
        agent.State = AgentState.Done;
        if (Spans.Any) Spans.End(agent, Exceptions.IsDeclined(agent.Result, agent.Failure));
        ReservationCounts.Ended(agent);
        Live.Remove(agent);
        var transaction = agent.Transaction;
        Cancellations.Forget(agent);
        Admission.Leave(agent, agent.Result?.Reason ?? AbortReason.None);
        transaction.Agent = null;
        transaction.Progress = int.MaxValue - 2;
        if (agent.Result is null) Lifecycle.Seal(transaction);
        Progress.TellSubscribersEnd(transaction);

        // A participant here may still have to hear the outcome; then it ends the transaction.
        var isUndecided = false;
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
            isUndecided |= branch.State is BranchState.Ordered or BranchState.Logged && branch.WillLog;
        if (!isUndecided) Lifecycle.End(transaction, aborted: agent.Result is not null);
        Lifecycle.ForgetIfIdle(transaction);
    }

    private void TickAgent(AgentTransaction agent, long now)
    {
        if (agent.Reserving is not null) Chains.Tick(agent, now);
        switch (agent.State)
        {
            case AgentState.Running when agent.Cancellation.IsCancellationRequested:
                Aborts.GiveUp(agent, AbortReason.Cancelled);
                break;
            case AgentState.Running when now >= agent.Transaction.Deadline:
                Aborts.GiveUp(agent, AbortReason.Timeout);
                break;
            case AgentState.Preparing when HasPreparedTooLong(agent, now):
                Outcomes.AbortPrepared(agent, new AbortInfo(AbortReason.ManagerAbort, agent.Transaction.Type) { LogFailure = Outcomes.LogFailureOf(agent) });
                break;
            case AgentState.Preparing or AgentState.Sealed when now - agent.Touched >= Context.Options.ResendMicroseconds:
                agent.Touched = now;
                Rounds.Remind(agent);
                break;
            case AgentState.Aborting when now - agent.PreparedAt >= Context.Options.PrepareTimeoutMicroseconds + Context.Options.InDoubtTimeoutMicroseconds || IsHeldUpByLog(agent, now):
                Aborts.Complete(agent, new AbortInfo(AbortReason.InDoubt, agent.Transaction.Type) { LogFailure = Outcomes.LogFailureOf(agent) });
                break;
            case AgentState.Aborting when now - agent.Touched >= Context.Options.ResendMicroseconds:
                agent.Touched = now;
                Outcomes.RequestAbort(agent);
                break;
        }

        if (agent.State == AgentState.Sealed && HasPreparedTooLong(agent, now))
            Outcomes.AbortPrepared(agent, new AbortInfo(AbortReason.ManagerAbort, agent.Transaction.Type) { LogFailure = Outcomes.LogFailureOf(agent) });
    }

    private bool HasPreparedTooLong(AgentTransaction agent, long now) => now - agent.PreparedAt >= Context.Options.PrepareTimeoutMicroseconds || IsHeldUpByLog(agent, now);

    /// <summary>Its time is up, and a log can't be written: its caller hears what is known instead of waiting for longer than it gave.</summary>
    private bool IsHeldUpByLog(AgentTransaction agent, long now) => Context.Statistics.LogsOut > 0 && now >= agent.Transaction.Deadline;
}
