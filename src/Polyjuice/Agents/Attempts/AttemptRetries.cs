using Polyjuice.Agents.Spans;
using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>Decides, when an attempt has ended, whether there is to be another one, and after how long.</summary>
internal sealed class AttemptRetries(
    EngineContext context, AbortExceptions exceptions, Recording recording, IEngineMetrics metrics,
    AttemptEnd attemptEnd)
{
    private readonly Backoff _backoff = new(context.Options, context.Host);

    /// <summary>An attempt is complete: says whether there is to be another one, and after how long.</summary>
    /// <exception cref="Exception">What the caller gets instead of another attempt.</exception>
    public bool TryEnd(
        AgentTransaction agent, TransactionRequest request, ITransactionBody body, int attempt, out long delay)
    {
        var transaction = agent.Transaction;
        var abort = agent.Result;
        attemptEnd.Finish(agent);
        if (request is TracedRequest { Span: var span }) span.Attempted(transaction, attempt);
        delay = 0;
        var type = context.Statistics.OfType(transaction.TypeId, transaction.Type);
        type.Attempts++;
        if (abort is null)
        {
            context.Statistics.Commits++;
            metrics.Committed();
            if (metrics.TimesTransactions)
            {
                var took = Math.Max(0, context.Now - (transaction.FirstAttempt >> HybridClock.LogicalBits));
                metrics.Took(took + request.WaitedMicroseconds, transaction.Type);
            }


            _backoff.Committed(transaction.Policy, transaction.TypeId, attempt - 1);
            recording.Recorder?.Attempt(transaction, request.WaitedMicroseconds, attempt, AbortReason.None, body);
            if (attempt > 1) metrics.Attempts(attempt);
            return false;
        }

        context.Statistics.AbortsByReason[(int)abort.Reason]++;
        if (abort.Reason != AbortReason.UserException) type.Aborts++;
        metrics.Aborted(abort.Reason, transaction.Type);
        abort = abort with { Attempts = attempt };
        delay = _backoff.Aborted(transaction.Policy, transaction.TypeId, attempt - 1);

        // A table may say "never back off". What keeps failing waits for something that takes time, and attempts are
        // bounded (I1, I4).
        if (attempt > 8)
        {
            var least = context.Options.BackoffUnitMicroseconds * (attempt - 8);
            delay = Math.Max(delay, Math.Min(context.Options.BackoffMaxMicroseconds, least));
        }

        if (abort.Reason == AbortReason.Deadlock && transaction.HandsOn)
            delay = Math.Max(delay, StandBack(transaction));

        // A new owner needs time, whatever the policy says: trying at once would use up the attempts before it serves.
        if (abort.Reason is AbortReason.WrongOwner or AbortReason.OwnerChanged or AbortReason.ParticipantLost)
            delay = Math.Max(delay, context.Options.TickMicroseconds);
        var refusal = LastWord(agent, request, attempt, abort, delay);
        recording.Recorder?.Attempt(
            transaction, request.WaitedMicroseconds, attempt, (refusal ?? abort).Reason, refusal is null ? null : body);
        if (refusal is null) return true;

        // Of what may pass by itself the last cause is told as well: it may be the application's, and never pass.
        var tellsCause = refusal.Reason == AbortReason.UserException || abort.Reason == AbortReason.ParticipantLost;
        throw exceptions.RefusalOf(request, refusal, tellsCause ? agent.Failure : null);
    }

    /// <summary>
    /// What the caller hears instead of another attempt; <see langword="null"/> if there is to be one.
    /// </summary>
    private AbortInfo? LastWord(
        AgentTransaction agent, TransactionRequest request, int attempt, AbortInfo abort, long delay)
    {
        if (!abort.IsRetriable || context.IsStopped) return abort;

        // It has lasted for a while, and nobody knows for how long it will: that is the caller's to decide.
        if (abort.Reason == AbortReason.LogUnavailable) return abort;
        if (agent.Cancellation.IsCancellationRequested) return abort with { Reason = AbortReason.Cancelled };
        var isLate = context.Now + delay >= agent.Transaction.Deadline;
        var maxAttempts = request.MaxAttempts > 0 ? request.MaxAttempts : context.Options.MaxAttempts;
        if (attempt < maxAttempts && !isLate) return null;
        if (!isLate || attempt >= maxAttempts || abort.Reason == AbortReason.LogOverloaded) return abort;

        // That the time is up says less than why.
        return abort with { Reason = abort.LogFailure is null ? AbortReason.Timeout : AbortReason.LogUnavailable };
    }

    /// <summary>
    /// How long one that has lost a cycle of dependencies stands back, in microseconds. The older ones of the cycle
    /// have built on it and are aborted with it: if all began again at once, they would meet again as before, and the
    /// oldest would win nothing by its age. So the loser lets them go first: for as long as its attempt has taken,
    /// which is about what theirs take, and as long again for what they back off and wait to be ordered; but for no
    /// more than half of the time that it has left.
    /// </summary>
    private long StandBack(LocalTransaction transaction)
    {
        var (now, start) = (context.Now, transaction.Start >> HybridClock.LogicalBits);
        return Math.Max(0, Math.Min(2 * (now - start), (transaction.Deadline - now) / 2));
    }
}
