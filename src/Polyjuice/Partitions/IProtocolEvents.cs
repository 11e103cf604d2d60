using Polyjuice.Contracts;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// Hears of each step of the commit protocol that an engine takes, at the moment when it takes it: for whoever compares
/// the steps with the rules (docs/internals/rules.md, The rules). Called on the engine's turn. It takes what it needs
/// at once, keeps no reference to what it is given, calls nothing of the engine, and throws nothing. There is none
/// unless somebody sets one.
/// </summary>
internal interface IProtocolEvents : IQueueEvents
{
    /// <summary>
    /// L1: the fence of a new owner is in the log; it reads the log next. Its epoch is the position behind the fence.
    /// </summary>
    void Fenced(int partition, long epoch);

    /// <summary>
    /// L1: a new owner has loaded a row in which nothing is undecided, and takes what it says next. Its fence is in
    /// the first batch that it stores; its epoch is the position behind that.
    /// </summary>
    void Loaded(int partition, long epoch);

    /// <summary>L1, L2: the owner has read its log, and serves. Its branches are what it takes for undecided.</summary>
    void Serves(PartitionOwner owner);

    /// <summary>It serves no longer.</summary>
    void Stopped(PartitionOwner owner);

    /// <summary>An access is served: of this version, which the attempt has read first or built upon.</summary>
    void Accessed(Branch branch, StateVersion version, int number);

    /// <summary>Resumption: an access of an attempt that runs can't commit any more.</summary>
    /// <param name="transaction">Whose.</param>
    /// <param name="number">Its number: neither it nor what came after it holds.</param>
    void Refuted(LocalTransaction transaction, int number);

    /// <summary>Resumption: a body that runs again is served an access from its record.</summary>
    void ServedAgain(LocalTransaction transaction, Participant participant, int number);

    /// <summary>R1a: an update has made a version.</summary>
    void Wrote(Branch branch, StateVersion version);

    /// <summary>
    /// R1 to R4, L4: a participant has ordered a transaction, as the prepare
    /// asked; the branch says at which timestamp, and on what it depends.
    /// </summary>
    void Ordered(Branch branch, in Message prepare);

    /// <summary>R4: a version has left its participant's chain, and all above it.</summary>
    void Removed(StateVersion version);

    /// <summary>D1: a declared read-only transaction is served this version, as of this timestamp.</summary>
    void ReadSnapshot(Ownership owner, TransactionId id, StateVersion version, long timestamp);

    /// <summary>
    /// A branch has committed or aborted; or, of one that there was
    /// not, the owner remembers that it can never commit (V4).
    /// </summary>
    void Ended(Ownership owner, TransactionId id, bool committed);

    /// <summary>V2: an owner that was asked for its prepare of a round makes sure that there never is one.</summary>
    void Promised(Ownership owner, TransactionId id, int round);

    /// <summary>V6: an owner forgets that a transaction committed.</summary>
    void Forgot(Ownership owner, TransactionId id);

    /// <summary>V6: a manager decides to forget a transaction that committed.</summary>
    void ForgetsDecision(Ownership owner, Decision decision);

    /// <summary>An owner says something, to whomever: what it says to its own node is said, too.</summary>
    void Said(Ownership owner, in Message message);

    /// <summary>The caller's side of an attempt ends.</summary>
    /// <param name="transaction">Whose.</param>
    /// <param name="abort">Why not committed; <see langword="null"/> when it is.</param>
    /// <param name="timestamp">The commit timestamp, if it is.</param>
    void Told(LocalTransaction transaction, AbortReason? abort, long timestamp);

    /// <summary>Here, an attempt is in nobody's way any more: all have ordered it, or its outcome is known.</summary>
    void Over(LocalTransaction transaction);

    /// <summary>Q4: an agent has the participants of a plan reserved, or asks once more.</summary>
    void AsksToReserve(LocalTransaction transaction, ReservationPlan plan);

    /// <summary>Q4: in a tick, an attempt waits until it holds all that it reserves.</summary>
    void StillReserves(LocalTransaction transaction, long now);

    /// <summary>Q3: an agent does not count on an entry of its plan until it is told again that it is held.</summary>
    void CountsNoLonger(LocalTransaction transaction, int at, int generation);

    /// <summary>Q4: a node tells the agent that a part of its plan is held.</summary>
    void SaysHeld(LocalTransaction transaction, in HeldPart part);

    /// <summary>Q4: the body of an attempt that has reserved begins.</summary>
    void Begins(LocalTransaction transaction);
}
