using Polyjuice.Contracts;
using Polyjuice.Versions;

namespace Polyjuice.Waits;

/// <summary>
/// What the wait graph asks of the floors above it, which know what a transaction does and who has reserved what. On
/// the engine's turn.
/// </summary>
internal interface IWaitEvents
{
    /// <summary>The transaction of that name, if this node knows of it.</summary>
    LocalTransaction? Find(TransactionId id);

    /// <summary>Asks the agent's node to say when a transaction has got that far; it may already have.</summary>
    void SubscribeTo(LocalTransaction target, int level, bool again = false);

    /// <summary>
    /// The attempt can't commit: it waited in a cycle or for too long. Its prepares here that wait for a version to be
    /// ordered are refused, also those of one that was doomed before.
    /// </summary>
    void Lost(Wait wait, LocalTransaction loser, AbortReason reason);

    /// <summary>A tick: who has waited for a reservation for some time asks those who hold it to give way.</summary>
    void AskToGiveWay(long now);

    /// <summary>Where an attempt of this node may wait for its reservations.</summary>
    IEnumerable<NodeId> NodesOfChain(LocalTransaction transaction);

    /// <summary>The end of a wait that has begun; whoever wants to tell of waits sees it begin by that.</summary>
    Task<WaitOutcome> EndOf(Wait wait);

    /// <summary>An access has waited.</summary>
    void Waited(Wait wait, bool isSatisfied);
}
