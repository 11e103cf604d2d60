using Polyjuice.Contracts;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// What follows when a body has ended: it is run again from where it can be resumed, or its attempt commits or is
/// abandoned.
/// </summary>
internal sealed class BodyEnd(
    EngineContext context, WaitGraph waits, Lifecycle lifecycle, TransactionProgress progress, AttemptAborts aborts,
    CommitStart commits)
{
    private const int MaxResumes = 16;

    /// <summary>
    /// The body has ended, or is not waited for any longer. Says whether it is to run again from where it can be
    /// resumed.
    /// </summary>
    public bool TryResume(AgentTransaction agent)
    {
        if (agent.Watch is { } watch)
        {
            agent.Watch = null;
            if (!watch.TryExit(out var failure)) return false;
            agent.Failure = failure ?? agent.Failure;
        }

        var transaction = agent.Transaction;
        if (transaction.ResumeAt < 0 || transaction.Doom?.Reason != AbortReason.EarlyValidation
            || transaction.Generation >= MaxResumes || transaction.IsParallel)
            return false;

        // The validated prefix is served again; what came after it runs anew.
        context.Statistics.Resumes++;
        transaction.Doom = null;
        transaction.ReplayUpTo = transaction.ResumeAt;
        transaction.ResumeAt = -1;
        transaction.AccessNumber = 0;
        transaction.Generation++;
        return true;
    }

    /// <summary>The body has ended: commits, or abandons.</summary>
    public void Conclude(AgentTransaction agent)
    {
        var transaction = agent.Transaction;
        if (agent.IsComplete) return;
        if (transaction.ReplayUpTo > transaction.AccessNumber && !transaction.IsDoomed)
        {
            // The resumed body took another, shorter way than the prefix that it was to repeat.
            lifecycle.Doom(transaction, AbortReason.EarlyValidation, null);
        }

        if (transaction.Doom is not { } doom)
        {
            transaction.Progress = int.MaxValue - 2;
            waits.Notify(transaction);
            progress.TellSubscribers(transaction);
        }
        else if (doom.Reason == AbortReason.UserException && !transaction.IsReadOnly
            && context.Breaks != ProtocolBreaks.NoOpacity)
        {
            // Opacity: what the user's code threw counts only if what it had read was true.
            transaction.Doom = null;
            agent.PendingAbort = doom;
            agent.ReadsOnly = true;
        }
        else
        {
            aborts.AbortRunning(agent, doom);
            return;
        }

        commits.Start(agent);
    }
}
