namespace Polyjuice.Contracts;

/// <summary>Why a transaction, or one attempt at it, ended without committing.</summary>
public enum AbortReason
{
    /// <summary>Not aborted.</summary>
    None = 0,

    /// <summary>
    /// The body threw; the exception surfaced only after all that it had read was validated. Not retried.
    /// </summary>
    UserException,

    /// <summary>A version that was read or built upon is no longer the one to be followed (rule R1).</summary>
    Validation,

    /// <summary>An early validation found the same before the body had ended.</summary>
    EarlyValidation,

    /// <summary>No timestamp within reach satisfied every participant (rule R2).</summary>
    Timestamp,

    /// <summary>A transaction whose version this one read or built upon aborted (rules R3 and R4).</summary>
    Cascade,

    /// <summary>
    /// The wait for another transaction would have closed a cycle, and this one was the youngest in it.
    /// </summary>
    Deadlock,

    /// <summary>A wait reached its deadline, which is a safety net: expected never to be seen.</summary>
    WaitDeadline,

    /// <summary>The log partition's owner changed while the transaction ran (rule R1b).</summary>
    OwnerChanged,

    /// <summary>The grain is activated on a silo that does not own its log partition.</summary>
    WrongOwner,

    /// <summary>A silo that took part died, or a grain call inside the transaction got no answer.</summary>
    ParticipantLost,

    /// <summary>
    /// A version that a declared read-only transaction needed was pruned or stayed undecided for too long (rule D1).
    /// </summary>
    ReadOnlySnapshot,

    /// <summary>A declared read-only transaction tried to update. Not retried.</summary>
    ReadOnlyViolation,

    /// <summary>A grain call of the transaction was not awaited. Not retried.</summary>
    OrphanCall,

    /// <summary>The transaction's time was up. Not retried.</summary>
    Timeout,

    /// <summary>The caller cancelled. Not retried.</summary>
    Cancelled,

    /// <summary>
    /// The manager decided to abort: a participant could not be
    /// reached or refused for a reason that it no longer knows.
    /// </summary>
    ManagerAbort,

    /// <summary>The engine was stopped. Not retried by it.</summary>
    Shutdown,

    /// <summary>
    /// Nobody can say at present whether the transaction committed: its manager did not answer in time.
    /// </summary>
    InDoubt,

    /// <summary>The log of a partition stands still, and as much as may waits for it already.</summary>
    LogOverloaded,

    /// <summary>
    /// The log of a partition can't be written at present: a full disk, a service
    /// that does not answer. Reported at once; the same call may succeed later.
    /// </summary>
    LogUnavailable,

    /// <summary>
    /// What the transaction asked to be called when everything else was
    /// ready to commit has said no, or two asked for that. Not retried.
    /// </summary>
    CommitRefused,

    /// <summary>
    /// A transaction with reservations came to a state that it had not reserved
    /// and would have had to wait for. It reserves anew before it runs again.
    /// </summary>
    AccessSetMiss,

    /// <summary>
    /// Its row has the younger of two yield (wait-die), and an older transaction held what it wanted.
    /// </summary>
    Yielded,

    /// <summary>It held what an older transaction wanted, whose row aborts the younger of two (wound-wait).</summary>
    Wounded,

    /// <summary>
    /// An access came when its attempt had ended: word of that has overtaken
    /// the call, or a method returned without awaiting what it had begun.
    /// </summary>
    AttemptEnded,
}
