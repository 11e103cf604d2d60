using Polyjuice.Policies;

namespace Polyjuice.Execution;

// Accesses of dry runs: they never wait, and nobody else can tell that they were there.
internal sealed partial class TransactionalStateCore<T>
{
    /// <summary>
    /// Reads the run's own scratch copy, or else the latest ordered version, whoever wrote it and whether it is decided or not: a dry run decides nothing. No branch, no entry in the access list, no read
    /// timestamp, no site.
    /// </summary>
    private TResult Scout<TResult>(CallFrame frame, AccessKind kind, Func<T, TResult> function)
    {
        var transaction = frame.Transaction;
        _engine.Lifecycle.ThrowIfUnusable(frame);
        var participant = FindParticipant(transaction);
        var dry = transaction.DryRun!;
        if (dry.Accesses.IsFull)
        {
            _engine.Lifecycle.Doom(transaction, AbortReason.Cancelled, null);
            throw _engine.Exceptions.DoomException(transaction);
        }

        dry.Accesses.Note(_key, _partition, _engine.Node, kind == AccessKind.Update);
        var value = (T)(dry.ScratchOf(participant) ?? participant.Last.GetValue(_adapter));
        if (kind == AccessKind.Read) return UserCode.Call(function, _adapter.Codec.IsImmutable ? value : _adapter.Codec.Copy(value));

        // As for real: what user code still holds can't reach what is kept.
        var working = _adapter.Codec.Copy(value);
        var result = UserCode.Call(function, working);
        dry.Keep(participant, _adapter.Codec.Copy(working));
        return result;
    }
}
