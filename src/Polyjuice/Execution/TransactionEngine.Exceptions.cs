namespace Polyjuice.Execution;

// What user code and hosts see of an attempt that can't commit.
internal sealed partial class TransactionEngine
{
    internal void ThrowIfUnusable(CallFrame frame)
    {
        var transaction = frame.Transaction;
        if (Context.IsStopped) Doom(transaction, AbortReason.Shutdown, null);
        if (frame.Generation != transaction.Generation || transaction.IsSealed || transaction.IsEnded || transaction.IsDoomed
            || transaction.Agent is { State: not AgentState.Running })
            throw Exceptions.DoomException(transaction);
    }
}
