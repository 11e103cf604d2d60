using System.Diagnostics;
using Polyjuice.Commit;
using Polyjuice.Diagnostics;
using Polyjuice.Hosting;
using Polyjuice.Policies;

namespace Polyjuice.Execution;

// The agent: starts attempts, runs bodies, retries, resumes.
public sealed partial class TransactionEngine
{
    private const int MaxResumes = 16;

    private AgentTransaction? _oldest;
    private AgentTransaction? _youngest;
    private long _sequence;

    /// <summary>The least number of a live attempt; all lower ones are done with (R1c).</summary>
    internal long OldestLive => _oldest is { } oldest ? oldest.Transaction.Id.Sequence : _sequence + 1;

    /// <summary>
    /// Runs a transaction: the body, its commit, and again after retriable aborts. Completes when it is committed and durable;
    /// otherwise throws what <see cref="IAbortExceptionFactory"/> makes. The body may run more than once.
    /// </summary>
    /// <param name="request">Type and bounds.</param>
    /// <param name="method">The root method, first in every caller path.</param>
    /// <param name="body">What to run; the frame is its ambient context. Arguments must be fresh for every run.</param>
    /// <param name="cancellationToken">Aborts it, unless it has gone too far.</param>
    public Task RunAsync(TransactionRequest request, GrainMethod method, Func<CallFrame, Task> body, CancellationToken cancellationToken) =>
        EngineMetrics.Activities.HasListeners() ? RunTraced(request, method, body, cancellationToken) : RunAttempts(request, method, body, cancellationToken);

    private async Task RunTraced(TransactionRequest request, GrainMethod method, Func<CallFrame, Task> body, CancellationToken cancellationToken)
    {
        using var activity = EngineMetrics.Activities.StartActivity(request.Type);
        await RunAttempts(request, method, body, cancellationToken);
    }

    private async Task RunAttempts(TransactionRequest request, GrainMethod method, Func<CallFrame, Task> body, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_isStopped, this);

        // Every local that outlives an await is paid for by every transaction, so what only a retry needs is asked for again.
        var path = PathOf(request, method);
        var agent = Begin(request, path, earlier: null, cancellationToken);
        for (var attempt = 1; ; attempt++)
        {
            await RunBody(agent, path, body);
            Conclude(agent);
            DrainNow();
            if (!agent.IsComplete) await agent.Completion;
            var transaction = agent.Transaction;
            var abort = agent.Result;
            Finish(agent);
            if (Activity.Current is { } activity && activity.Source == EngineMetrics.Activities) Describe(activity, attempt, abort);
            if (abort is null)
            {
                Statistics.Commits++;
                Metrics.Committed();
                _backoff.Committed(transaction.Policy, transaction.TypeId, attempt - 1);
                if (attempt > 1) Metrics.Attempts(attempt);
                return;
            }

            Statistics.AbortsByReason[(int)abort.Reason]++;
            Metrics.Aborted(abort.Reason);
            abort = abort with { Attempts = attempt };
            var delay = _backoff.Aborted(transaction.Policy, transaction.TypeId, attempt - 1);

            // A table may say "never back off". What keeps failing waits for something that takes time, and attempts are bounded (I1, I4).
            if (attempt > 8) delay = Math.Max(delay, Math.Min(Options.BackoffMaxMicroseconds, Options.BackoffUnitMicroseconds * (attempt - 8)));

            // A new owner needs time, whatever the policy says: trying at once would use up the attempts before it serves.
            if (abort.Reason is AbortReason.WrongOwner or AbortReason.OwnerChanged or AbortReason.ParticipantLost) delay = Math.Max(delay, Options.TickMicroseconds);
            if (!abort.IsRetriable || _isStopped) throw _exceptions.Create(abort, abort.Reason == AbortReason.UserException ? agent.Failure : null);
            if (agent.Cancellation.IsCancellationRequested) throw _exceptions.Create(abort with { Reason = AbortReason.Cancelled }, null);
            var deadline = transaction.Deadline;
            var maxAttempts = request.MaxAttempts > 0 ? request.MaxAttempts : Options.MaxAttempts;
            if (attempt >= maxAttempts || Now + delay >= deadline)
                throw _exceptions.Create(Now + delay >= deadline && attempt < maxAttempts ? abort with { Reason = AbortReason.Timeout } : abort, null);
            await Delay(delay);
            ObjectDisposedException.ThrowIf(_isStopped, this);
            path = PathOf(request, method);
            agent = Begin(request, path, agent.Transaction, agent.Cancellation);
        }
    }

    private PathNode PathOf(TransactionRequest request, GrainMethod method) => _paths.GetOrAdd(request.Type, method.Name, method.Label);

    private static void Describe(Activity activity, int attempt, AbortInfo? abort)
    {
        activity.SetTag("polyjuice.attempts", attempt);
        activity.SetStatus(abort is null ? ActivityStatusCode.Ok : ActivityStatusCode.Error, abort?.Reason.ToString());
    }

    private AgentTransaction Begin(TransactionRequest request, PathNode path, LocalTransaction? earlier, CancellationToken cancellationToken)
    {
        var table = _policies.Current;
        var timeout = request.TimeoutMicroseconds > 0 ? request.TimeoutMicroseconds : Options.TransactionTimeoutMicroseconds;
        var deadline = earlier?.Deadline ?? Now + timeout;
        var transaction = new LocalTransaction(new TransactionId(Node, ++_sequence), request.Type, path.TypeId, table)
        {
            IsReadOnly = request.IsReadOnly,
            Start = Clock.Tick(),
            Deadline = deadline,
        };
        transaction.FirstAttempt = earlier?.FirstAttempt ?? transaction.Start;
        if (table.HasEarlyValidation) transaction.Record = [];
        var agent = new AgentTransaction(transaction) { Cancellation = cancellationToken, Older = _youngest };
        transaction.Agent = agent;
        if (_youngest is null) _oldest = agent;
        else _youngest.Younger = agent;
        _youngest = agent;
        _transactions.Add(transaction.Id, transaction);
        Statistics.Attempts++;
        EnsureTicking();
        return agent;
    }

    /// <summary>Runs the body, and again from where it can be resumed; <see cref="AgentTransaction.Failure"/> says how it ended.</summary>
    private async Task RunBody(AgentTransaction agent, PathNode path, Func<CallFrame, Task> body)
    {
        var transaction = agent.Transaction;
        for (var resumes = 0; ; resumes++)
        {
            agent.Failure = null;
            var frame = new CallFrame(this, transaction, path, null, null, 0);
            try
            {
                var run = body(frame);
                if (!run.IsCompleted)
                {
                    // Not Task.WhenAny: it would complete on the thread pool when the source of Abandoned does, off the turn.
                    var ended = agent.Abandoned = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                    _ = SignalEnd(run, ended);
                    await ended.Task;
                    if (!run.IsCompleted)
                    {
                        frame.Exit(null);
                        return;
                    }
                }

                await run;
            }
            catch (Exception exception)
            {
                agent.Failure = exception;
            }

            frame.Exit(agent.Failure);
            if (transaction.ResumeAt < 0 || transaction.Doom?.Reason != AbortReason.EarlyValidation || resumes >= MaxResumes || transaction.IsParallel) return;

            // The validated prefix is served again; what came after it runs anew.
            Statistics.Resumes++;
            transaction.Doom = null;
            transaction.ReplayUpTo = transaction.ResumeAt;
            transaction.ResumeAt = -1;
            transaction.AccessNumber = 0;
            transaction.Generation++;
            await Delay(0);
            agent.Failure = null;
            if (transaction.IsDoomed) return;
        }
    }

    /// <summary>Completes the source when the body has ended, however long after; its exception is then observed.</summary>
    private static async Task SignalEnd(Task run, TaskCompletionSource ended)
    {
        try
        {
            await run;
        }
        catch (Exception)
        {
            // Whoever still waits for the body sees it there.
        }

        ended.TrySetResult();
    }

    /// <summary>The body has ended: commits, or abandons.</summary>
    private void Conclude(AgentTransaction agent)
    {
        var transaction = agent.Transaction;
        agent.Abandoned = null;
        if (agent.IsComplete) return;
        if (transaction.ReplayUpTo > transaction.AccessNumber && !transaction.IsDoomed)
        {
            // The resumed body took another, shorter way than the prefix that it was to repeat.
            Doom(transaction, AbortReason.EarlyValidation, null);
        }

        if (transaction.Doom is not { } doom)
        {
            transaction.Progress = int.MaxValue - 2;
            Waits.Notify(transaction);
            TellSubscribers(transaction);
        }
        else if (doom.Reason == AbortReason.UserException && !transaction.IsReadOnly && !Breaks.HasFlag(ProtocolBreaks.NoOpacity))
        {
            // Opacity: what the user's code threw counts only if what it had read was true.
            transaction.Doom = null;
            agent.PendingAbort = doom;
            agent.ReadsOnly = true;
        }
        else
        {
            AbortRunning(agent, doom);
            return;
        }

        StartCommit(agent);
    }

    /// <summary>Ends an attempt of which nothing was prepared.</summary>
    private void AbortRunning(AgentTransaction agent, AbortInfo abort)
    {
        var transaction = agent.Transaction;
        SendToVisited(transaction, new Message { Kind = MessageKind.Abandon, Transaction = transaction.Id });
        AbandonHere(transaction.Id);
        agent.Complete(abort);
    }

    private void SendToVisited(LocalTransaction transaction, Message message)
    {
        if (transaction.Visited is not { } visited) return;
        foreach (var node in visited) Send(node, message);
    }

    /// <summary>The caller is being told: the attempt is no longer live.</summary>
    private void Finish(AgentTransaction agent)
    {
        agent.State = AgentState.Done;
        var (older, younger) = (agent.Older, agent.Younger);
        if (older is null) _oldest = younger;
        else older.Younger = younger;
        if (younger is null) _youngest = older;
        else younger.Older = older;
        agent.Older = null;
        var transaction = agent.Transaction;
        transaction.Agent = null;
        transaction.Progress = int.MaxValue - 2;
        if (agent.Result is null) Seal(transaction);
        TellSubscribersEnd(transaction);

        // A participant here may still have to hear the outcome; then it ends the transaction.
        var isUndecided = false;
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
            isUndecided |= branch.State is BranchState.Ordered or BranchState.Logged && branch.WillLog;
        if (!isUndecided) End(transaction, aborted: agent.Result is not null);
        ForgetIfIdle(transaction);
    }

    private void TellSubscribersEnd(LocalTransaction transaction)
    {
        if (transaction.Subscribers is not { Count: > 0 } subscribers) return;
        foreach (var (node, _) in subscribers) Send(node, new Message { Kind = MessageKind.Progress, Transaction = transaction.Id, Flags = MessageFlags.Final });
        subscribers.Clear();
    }

    private void TickAgents(long now)
    {
        for (var agent = _oldest; agent is not null;)
        {
            var next = agent.Younger;
            TickAgent(agent, now);
            agent = next;
        }
    }

    /// <summary>
    /// The attempt must end now, whatever its body does. Doomed for another reason before, it still waits for a body that may wait for
    /// what never comes, and would keep all that is younger from being forgotten (I4).
    /// </summary>
    private void GiveUp(AgentTransaction agent, AbortReason reason)
    {
        var transaction = agent.Transaction;
        Doom(transaction, reason, null);
        // What the user's code threw is not proven by reads of a body that still runs.
        if (transaction.Doom is { Reason: AbortReason.UserException } doom) transaction.Doom = doom with { Reason = reason };
        agent.Abandoned?.TrySetResult();
    }

    private void TickAgent(AgentTransaction agent, long now)
    {
        switch (agent.State)
        {
            case AgentState.Running when agent.Cancellation.IsCancellationRequested:
                GiveUp(agent, AbortReason.Cancelled);
                break;
            case AgentState.Running when now >= agent.Transaction.Deadline:
                GiveUp(agent, AbortReason.Timeout);
                break;
            case AgentState.Preparing when now - agent.PreparedAt >= Options.PrepareTimeoutMicroseconds:
                AbortPrepared(agent, new AbortInfo(AbortReason.ManagerAbort, agent.Transaction.Type));
                break;
            case AgentState.Preparing or AgentState.Sealed when now - agent.Touched >= Options.ResendMicroseconds:
                agent.Touched = now;
                Remind(agent);
                break;
            case AgentState.Aborting when now - agent.PreparedAt >= Options.PrepareTimeoutMicroseconds + Options.InDoubtTimeoutMicroseconds:
                agent.Complete(new AbortInfo(AbortReason.InDoubt, agent.Transaction.Type));
                break;
            case AgentState.Aborting when now - agent.Touched >= Options.ResendMicroseconds:
                agent.Touched = now;
                RequestAbort(agent);
                break;
        }

        if (agent.State == AgentState.Sealed && now - agent.PreparedAt >= Options.PrepareTimeoutMicroseconds)
            AbortPrepared(agent, new AbortInfo(AbortReason.ManagerAbort, agent.Transaction.Type));
    }
}
