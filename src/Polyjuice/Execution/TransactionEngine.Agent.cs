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
            agent ??= Starts.Start(request, method, body, earlier: null, cancellationToken);
            for (var attempt = 1; ; attempt++)
            {
                while (agent.Reserving is not null)
                {
                    await agent.Reserving.Over;
                    agent = ReservedAttempts.StartBody(agent, request, method, body);
                }

                while (true)
                {
                    if (agent.Watch is { } watch) await watch.Over;
                    if (!EndBody(agent)) break;
                    await Timers.Delay(0);
                    agent.Failure = null;
                    if (agent.Transaction.IsDoomed) break;
                    Starts.StartBody(agent, Paths.Root(request.Type, method), body);
                }

                Conclude(agent);
                DrainNow();
                if (!agent.IsComplete) await agent.Completion;
                if (!Retries.TryEnd(agent, request, body, attempt, out var delay)) break;
                await Timers.Delay(delay);
                Exceptions.RefuseIfStopped(request, attempt);
                if (!Admission.TryEnter(request, agent.Transaction.TypeId))
                    await Admission.Await(request, agent.Transaction.TypeId, agent.Transaction.FirstAttempt >> HybridClock.LogicalBits, agent.Transaction.Deadline, attempt, agent.Cancellation);
                if (Planning.Again(agent, request, method, body) is { } next)
                {
                    agent = next;
                    continue;
                }

                // What a retry alone needs is not to be a local here.
                await Planning.PlanAgain(agent, request, method, body);
                agent = agent.Transaction.Reservations!.TakeNext();
            }
        }
        catch (Exception exception)
        {
            failure = exception;
        }

        OpenTime.Completed(request, body, failure);
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
