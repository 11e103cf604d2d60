using Polyjuice.Agents.Spans;
using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>What user code and hosts see of an attempt that can't commit.</summary>
internal sealed class AbortExceptions(EngineContext context, IAbortExceptionFactory factory)
{
    public Exception DoomException(LocalTransaction transaction) =>
        factory.Create(transaction.Doom ?? new AbortInfo(AbortReason.AttemptEnded, transaction.Type), null);

    public void RefuseIfStopped(TransactionRequest request, int attempts)
    {
        if (context.IsStopped)
            throw RefusalOf(request, new AbortInfo(AbortReason.Shutdown, request.Type, Attempts: attempts));
    }

    /// <summary>What the caller gets instead of another attempt, or of the first.</summary>
    public Exception RefusalOf(TransactionRequest request, AbortInfo abort, Exception? inner = null)
    {
        if (request is TracedRequest { Span: var span }) span.Refused(abort, IsDeclined(abort, inner));
        return factory.Create(abort, inner);
    }

    public bool IsDeclined(AbortInfo? abort, Exception? failure) =>
        abort is { Reason: AbortReason.UserException } && failure is not null && factory.IsDecline(failure);
}
