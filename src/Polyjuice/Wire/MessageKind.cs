namespace Polyjuice.Wire;

/// <summary>
/// What engines say to each other: who says it to whom, and what for. What a message holds is said by the type in
/// <c>Messages/</c> that it is made and read with.
/// </summary>
internal enum MessageKind : byte
{
    /// <summary>Agent → owner: order this transaction at this timestamp (R1).</summary>
    Prepare = 1,

    /// <summary>
    /// Within an agent's node: what its own participants waited for has been ordered; go on with the round.
    /// </summary>
    Continue,

    /// <summary>Owner → agent: ordered, or refused with a timestamp that would do, or refused for good (R2).</summary>
    PrepareReply,

    /// <summary>Agent → nodes involved: every participant has ordered it. Speed only.</summary>
    Sealed,

    /// <summary>Agent → nodes involved: aborted before anything was prepared.</summary>
    Abandon,

    /// <summary>Agent or participant → manager: abort it if you still can, and say what became of it (V3).</summary>
    AbortRequest,

    /// <summary>Agent or participant → manager: what became of it (V2, V4)?</summary>
    Query,

    /// <summary>Manager → participant: committed or aborted.</summary>
    Outcome,

    /// <summary>Manager → agent: committed or aborted.</summary>
    AgentOutcome,

    /// <summary>Participant → manager, or → agent when nothing was written: V1.</summary>
    Vote,

    /// <summary>Participant → manager: the outcome is in my log (V6).</summary>
    Acknowledge,

    /// <summary>Manager or agent → participant where a dependency arose: what became of it (V5)?</summary>
    DependencyQuery,

    /// <summary>Participant → who has asked: what became of the dependency (V5).</summary>
    DependencyAnswer,

    /// <summary>Node → agent's node: tell me when it has got that far.</summary>
    Subscribe,

    /// <summary>Agent's node → subscriber, or callee's node → caller's node: how far it has got.</summary>
    Progress,

    /// <summary>Node → nodes involved: expose what it has buffered with you. Speed only; may be lost.</summary>
    Expose,

    /// <summary>
    /// Node → agent: a running attempt can't commit, so let everyone stop working for it. Speed only.
    /// </summary>
    Doomed,

    /// <summary>
    /// Node → where an attempt may wait: looks for a wait cycle across nodes (Chandy, Misra, Haas 1983).
    /// </summary>
    Probe,

    /// <summary>Node → where it waits: this transaction is the youngest in a cycle that a probe has found.</summary>
    Victim,

    /// <summary>
    /// Owner → agent's node: say what your oldest live transaction is, as every batch does (R1c). An agent that has
    /// nothing to do says nothing otherwise, and what it has finished would never be forgotten. Or new owner →
    /// everybody: the partition has an owner of this epoch now.
    /// </summary>
    News,

    /// <summary>
    /// Caller's node → callee's: something runs beside the call, so that its transaction may wait elsewhere while it
    /// waits with you. Speed only; repeated while the call is out.
    /// </summary>
    Parallel,

    /// <summary>
    /// Agent → nodes visited: the dry run is over, and what it has made there is of no more use. Speed only: else it
    /// goes with the agent's oldest live attempt, or with the run's time.
    /// </summary>
    DryRunEnded,

    /// <summary>
    /// Agent → owner → next owner: reserve these participants, and hand the rest on at once; or owner → the agent of
    /// who holds what is waited for: tell the agent of who waits whether you get on. Speed only; repeated.
    /// </summary>
    Reserve,

    /// <summary>
    /// Owner → agent: this part of the plan is held, or the queue where it waits has moved, or there is a grain to be
    /// activated first. Speed only.
    /// </summary>
    Reserved,

    /// <summary>Agent → owners of a chain: it runs without what it does not hold yet. Speed only.</summary>
    Withdraw,

    /// <summary>Owner → owners of other partitions: these participants are hot. Speed only; repeated.</summary>
    Hot,

    /// <summary>
    /// Agent → owners: have the grains of these participants activated, as far as they are yours. Speed only; repeated.
    /// </summary>
    Load,

    /// <summary>Owner → agent: they are, or can't be. Speed only.</summary>
    Loaded,

    /// <summary>
    /// A later epoch of the manager → participant: is your prepare of this round durable? If not, it never will be
    /// (V2).
    /// </summary>
    VoteQuery,

    /// <summary>
    /// Node → the one that decides for all how a type's transactions are let in: what they have done here; and back:
    /// the way. Speed only; repeated.
    /// </summary>
    Admission,

    /// <summary>
    /// Owner → agent of who holds a reservation: let an older one go first, if the body has not begun; and back: it
    /// may. Speed only; repeated.
    /// </summary>
    GiveWay,

    /// <summary>
    /// Node → the one that finds out for all how many attempts of contended types may run on a silo: what has ended
    /// here; and back: the limit. Speed only; repeated.
    /// </summary>
    AttemptLimit,

    /// <summary>
    /// Node → the one that chooses a table for all: what it has counted; and back: the table in force. Speed only;
    /// repeated.
    /// </summary>
    Choice,

    /// <summary>
    /// Node → where an attempt may be: when did it last get on? And back: so long ago. Speed only; repeated.
    /// </summary>
    Alive,
}
