using Polyjuice.Agents.Spans;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// The agent: runs transactions, attempt after attempt, until one commits or there is to be no other.
/// </summary>
internal sealed class Attempts(
    EngineContext context, Timers timers, OpenTime openTime, AbortExceptions exceptions, PathTree paths,
    AttemptAdmission admissions, AdmissionChoice admissionChoice, AttemptStarts starts,
    ReservedAttempts reservedAttempts, AttemptPlanning planning, BodyEnd bodies, AttemptRetries retries, Action drain)
{
    /// <summary>
    /// Runs a transaction: the body, its commit, and again after retriable aborts. Completes when it is committed and
    /// durable; otherwise throws what <see cref="IAbortExceptionFactory"/> makes. The body may run more than once.
    /// </summary>
    /// <param name="request">Type and bounds.</param>
    /// <param name="method">The root method, first in every caller path.</param>
    /// <param name="body">What to run; the frame is its ambient context. Arguments must be fresh for every run.</param>
    /// <param name="cancellationToken">Aborts it, unless it has gone too far.</param>
    public Task RunAsync(
        TransactionRequest request, GrainMethod method, Func<CallFrame, Task> body, CancellationToken cancellationToken)
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
    public void Run(
        TransactionRequest request, GrainMethod method, ITransactionBody body, CancellationToken cancellationToken)
    {
        openTime.Opened(body);
        if (SpanSource.IsOn && TransactionSpan.Begin(request.Type, context.Now) is { } span)
            request = new TracedRequest(request, span);
        _ = RunOpened(request, method, body, cancellationToken);
    }

    private Task RunOpened(
        TransactionRequest request, GrainMethod method, ITransactionBody body, CancellationToken cancellationToken) =>
        context.IsStopped || admissions.TryEnter(request, paths.Root(request.Type, method).TypeId)
            ? RunAdmitted(request, method, body, cancellationToken)
            : RunWhenAdmitted(request, method, body, cancellationToken);

    private Task RunAdmitted(
        TransactionRequest request, GrainMethod method, ITransactionBody body, CancellationToken cancellationToken) =>
        admissionChoice.AdmissionOf(request, method, request.AccessSet is not null)
            is var admission and not PolicyAdmission.Run
            ? RunPlanned(admission, request, method, body, cancellationToken)
            : RunAttempts(agent: null, request, method, body, cancellationToken);
    /// <summary>Finds out what a transaction is going to access, and then runs its attempts.</summary>
    private Task RunPlanned(
        PolicyAdmission admission, TransactionRequest request, GrainMethod method, ITransactionBody body,
        CancellationToken cancellationToken)
    {
        // Most are planned at once, and need nothing that waits for that.
        var planned = planning.PlanAsync(admission, request, method, body, earlier: null, cancellationToken);
        return planned.IsCompletedSuccessfully
            ? RunAttempts(planned.Result, request, method, body, cancellationToken)
            : RunWhenPlanned(planned, request, method, body, cancellationToken);
    }

    private async Task RunWhenPlanned(
        ValueTask<AgentTransaction> planned, TransactionRequest request, GrainMethod method, ITransactionBody body,
        CancellationToken cancellationToken)
    {
        AgentTransaction agent;
        try
        {
            agent = await planned;
        }
        catch (Exception exception)
        {
            openTime.Completed(request, body, exception);
            return;
        }

        await RunAttempts(agent, request, method, body, cancellationToken);
    }

    /// <summary>A transaction that has to wait before its first attempt. Its time runs.</summary>
    private async Task RunWhenAdmitted(
        TransactionRequest request, GrainMethod method, ITransactionBody body, CancellationToken cancellationToken)
    {
        try
        {
            var since = context.Now;
            var timeout = starts.TimeoutOf(request);
            var typeId = paths.Root(request.Type, method).TypeId;
            await admissions.Await(
                request, typeId, SinceOf(request, since), since + timeout, attempts: 0, cancellationToken);
            var waited = context.Now - since;
            request = request with
            {
                TimeoutMicroseconds = Math.Max(1, timeout - waited),
                WaitedMicroseconds = request.WaitedMicroseconds + waited,
            };
        }
        catch (Exception exception)
        {
            openTime.Completed(request, body, exception);
            return;
        }

        await RunAdmitted(request, method, body, cancellationToken);
    }

    private static long SinceOf(TransactionRequest request, long now)
    {
        var came = now - request.WaitedMicroseconds;
        return request.SinceMicroseconds > 0 ? Math.Min(request.SinceMicroseconds, came) : came;
    }

    /// <summary>Runs attempts until one commits or there is to be no other.</summary>
    /// <param name="agent">The first, if it has been begun.</param>
    /// <param name="request">Type and bounds.</param>
    /// <param name="method">The root method.</param>
    /// <param name="body">What to run, and who is told.</param>
    /// <param name="cancellationToken">The caller's.</param>
    private async Task RunAttempts(
        AgentTransaction? agent, TransactionRequest request, GrainMethod method, ITransactionBody body,
        CancellationToken cancellationToken)
    {
        Exception? failure = null;
        try
        {
            exceptions.RefuseIfStopped(request, attempts: 1);

            // Every local that outlives an await is paid for by every transaction, so what only a retry needs is
            // asked for again.
            agent ??= starts.Start(request, method, body, earlier: null, cancellationToken);
            for (var attempt = 1; ; attempt++)
            {
                while (agent.Reserving is not null)
                {
                    await agent.Reserving.Over;
                    agent = reservedAttempts.StartBody(agent, request, method, body);
                }

                while (true)
                {
                    if (agent.Watch is { } watch) await watch.Over;
                    if (!bodies.TryResume(agent)) break;
                    await timers.Delay(0);
                    agent.Failure = null;
                    if (agent.Transaction.IsDoomed) break;
                    starts.StartBody(agent, paths.Root(request.Type, method), body);
                }

                bodies.Conclude(agent);
                drain();
                if (!agent.IsComplete) await agent.Completion;
                if (!retries.TryEnd(agent, request, body, attempt, out var delay)) break;
                await timers.Delay(delay);
                exceptions.RefuseIfStopped(request, attempt);
                if (!admissions.TryEnter(request, agent.Transaction.TypeId))
                    await admissions.Await(
                        request, agent.Transaction.TypeId, agent.Transaction.FirstAttempt >> HybridClock.LogicalBits,
                        agent.Transaction.Deadline, attempt, agent.Cancellation);
                if (planning.Again(agent, request, method, body) is { } next)
                {
                    agent = next;
                    continue;
                }

                // What a retry alone needs is not to be a local here.
                await planning.PlanAgain(agent, request, method, body);
                agent = (AgentTransaction)agent.Transaction.Reservations!.TakeNext();
            }
        }
        catch (Exception exception)
        {
            failure = exception;
        }

        openTime.Completed(request, body, failure);
    }
}
