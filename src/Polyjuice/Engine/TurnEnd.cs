using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Engine;

/// <summary>
/// What is done before a turn of the host ends: what this node has said to itself is handled, appends start, and what
/// it has said to others goes out.
/// </summary>
/// <remarks>That an invariant is broken ends every part of the engine, this one too: hence the callback.</remarks>
internal sealed class TurnEnd(
    EngineContext context, Mail mail, MessageRouter router, LogOwners logs, RowOwners rows, WaitGraph waits,
    TransactionProgress progress, LiveAttempts live, Action<Exception> failed)
{
    private bool _isDraining;

    /// <summary>Sends what has accumulated for other nodes and starts appends, unless the engine has stopped.</summary>
    public void Flush()
    {
        if (!context.IsStopped) FlushOnce();
    }

    /// <summary>The same, for the last time too.</summary>
    public void FlushOnce()
    {
        try
        {
            bool again;
            do
            {
                Drain();
                again = logs.Flush();
                again |= rows.Flush();
            }
            while (again || !mail.IsLocalEmpty);
        }
        catch (InvariantException exception)
        {
            mail.FlushEnded();
            failed(exception);
            return;
        }

        progress.Report();
        mail.Flush(live.OldestLive);
    }

    /// <summary>
    /// Handles at once what this node has to say to itself: a transaction whose participants are all here is ordered
    /// and sealed in the turn in which its body ends, so that nothing can come between its accesses and its place in
    /// the order.
    /// </summary>
    public void DrainNow()
    {
        try
        {
            Drain();
        }
        catch (InvariantException exception)
        {
            failed(exception);
        }
    }

    private void Drain()
    {
        if (_isDraining) return;
        _isDraining = true;
        try
        {
            do
            {
                while (mail.TryTake(out var message)) router.Dispatch(message);
                waits.Probes.PassOn();
            }
            while (!mail.IsLocalEmpty);
        }
        finally
        {
            _isDraining = false;
        }
    }
}
