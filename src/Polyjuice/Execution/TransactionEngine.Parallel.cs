using Polyjuice.Commit;

namespace Polyjuice.Execution;

// Transactions of which several branches run at once. Where one of them waits, that must be known: it may wait elsewhere too.
internal sealed partial class TransactionEngine
{
    private readonly List<LocalTransaction> _parallel = [];
    private long _parallelRepeatedAt;

    /// <summary>From now on it counts as parallel here, and where it has called.</summary>
    internal void NoteParallel(LocalTransaction transaction)
    {
        if (transaction.IsParallel || transaction.DryRun is not null) return;
        transaction.IsParallel = true;
        if (transaction.Edges is { Waiters.Count: > 0 }) Waits.Probes.Watch(transaction, Context.Now);
        if (transaction.RemoteCalls is not { Count: > 0 }) return;
        _parallel.Add(transaction);
        TellParallel(transaction);
    }

    /// <summary>Calls that were out when it turned parallel do not say so themselves, as later ones do; so the word is repeated until they are answered.</summary>
    private void RepeatParallel(long now)
    {
        if (_parallel.Count == 0 || Math.Abs(now - _parallelRepeatedAt) < Context.Options.ResendMicroseconds) return;
        _parallelRepeatedAt = now;
        _parallel.RemoveAll(static transaction => transaction.IsEnded || transaction.RemoteCalls is not { Count: > 0 });
        foreach (var transaction in _parallel) TellParallel(transaction);
    }

    private void TellParallel(LocalTransaction transaction)
    {
        foreach (var call in transaction.RemoteCalls ?? []) Mail.Send(call.Destination, new Message { Kind = MessageKind.Parallel, Transaction = transaction.Id });
    }
}
