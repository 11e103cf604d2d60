using Polyjuice.Contracts;
using Polyjuice.Versions;

namespace Polyjuice.Partitions;

/// <summary>What owners say of transactions to the floor above, where those live. On the engine's turn.</summary>
internal interface ITransactionLife
{
    /// <summary>
    /// The attempt can't commit. Its accesses throw from now on, its waits end, and a parked prepare is refused.
    /// </summary>
    void Doom(
        LocalTransaction transaction, AbortReason reason, Participant? participant, int siteId = -1,
        LocalTransaction? other = null, int resumeAt = -1);

    /// <summary>It needs a log that can't be written.</summary>
    void DoomByLog(LocalTransaction transaction, Participant participant, int siteId);

    /// <summary>
    /// Whoever waits until it is decided whether a transaction has committed waits for a log that can't be written.
    /// </summary>
    void DoomWhoAwaitsDecision(LocalTransaction target, PartitionOwner owner);

    /// <summary>Every participant has ordered it: it stands in nobody's way any more.</summary>
    void Seal(LocalTransaction transaction);

    /// <summary>Its outcome is known here, or it never had one.</summary>
    void End(LocalTransaction transaction, bool aborted = false);

    /// <summary>
    /// Remembers at which participant a prepare was refused, for the message that the caller may get.
    /// </summary>
    void NoteConflict(TransactionId id, Participant participant);
}
