using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// Transactions of which several branches run at once. Where one
/// of them waits, that must be known: it may wait elsewhere too.
/// </summary>
internal sealed class ParallelTransactions(EngineContext context, Mail mail, WaitGraph waits)
{
    private readonly List<LocalTransaction> _parallel = [];
    private long _parallelRepeatedAt;

    /// <summary>From now on it counts as parallel here, and where it has called.</summary>
    public void NoteParallel(LocalTransaction transaction)
    {
        if (transaction.IsParallel || transaction.DryRun is not null) return;
        transaction.IsParallel = true;
        if (transaction.Edges is { Waiters.Count: > 0 }) waits.Probes.Watch(transaction, context.Now);
        if (transaction.RemoteCalls is not { Count: > 0 }) return;
        _parallel.Add(transaction);
        Tell(transaction);
    }

    /// <summary>
    /// Calls that were out when it turned parallel do not say so themselves,
    /// as later ones do; so the word is repeated until they are answered.
    /// </summary>
    public void Repeat(long now)
    {
        if (_parallel.Count == 0 || Math.Abs(now - _parallelRepeatedAt) < context.Options.ResendMicroseconds) return;
        _parallelRepeatedAt = now;
        _parallel.RemoveAll(static transaction => transaction.IsEnded || transaction.RemoteCalls is not { Count: > 0 });
        foreach (var transaction in _parallel) Tell(transaction);
    }

    private void Tell(LocalTransaction transaction)
    {
        foreach (var call in transaction.RemoteCalls ?? [])
            mail.Send(call.Destination, new Message { Kind = MessageKind.Parallel, Transaction = transaction.Id });
    }
}
