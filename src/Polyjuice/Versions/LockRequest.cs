using Polyjuice.Policies;

namespace Polyjuice.Versions;

/// <summary>A place in the queue of those who wait for a state's holders.</summary>
/// <param name="transaction">Who waits.</param>
/// <param name="kind">For what.</param>
/// <param name="number">When it came.</param>
/// <param name="conflict"><see cref="PolicyActions.Die"/>, <see cref="PolicyActions.Wound"/> or neither.</param>
internal sealed class LockRequest(LocalTransaction transaction, AccessKind kind, long number, PolicyActions conflict)
{
    public readonly long Number = number;
    public readonly LocalTransaction Transaction = transaction;
    public readonly AccessKind Kind = kind;
    public LockRequest? Previous;
    public LockRequest? Next;

    private readonly PolicyActions _conflict = conflict;

    /// <summary>
    /// Whether it is to be served before one that has come earlier. Where age decides, everybody waits for younger ones
    /// only (die), or for older ones only (wound), in the queue as well: so waits close no cycle. Among those for whom
    /// age decides otherwise, or not at all, nobody goes ahead: they would have to wait for whoever keeps coming.
    /// </summary>
    public bool GoesAheadOf(LockRequest earlier)
    {
        if (_conflict == PolicyActions.None || earlier._conflict != _conflict || earlier.Transaction == Transaction)
            return false;
        return (_conflict & PolicyActions.Die) != 0
            ? Transaction.IsYoungerThan(earlier.Transaction)
            : earlier.Transaction.IsYoungerThan(Transaction);
    }

    /// <summary>Whether somebody older, in conflict with it, would be served after it.</summary>
    public bool PassesOlder()
    {
        for (var later = Next; later is not null; later = later.Next)
        {
            if ((Kind == AccessKind.Update || later.Kind == AccessKind.Update) && !later.Transaction.IsEnded
                && Transaction.IsYoungerThan(later.Transaction))
                return true;
        }

        return false;
    }
}
