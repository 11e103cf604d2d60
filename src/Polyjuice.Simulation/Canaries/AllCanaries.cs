using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Simulation.Canaries;

/// <summary>Every rule that can be removed. An instrument that does not miss it is broken.</summary>
internal static class AllCanaries
{
    /// <summary>All of them.</summary>
    public static IReadOnlyList<Canary> List { get; } =
    [
        new("NoReadCheck", "R1", "a read is ordered although a later version precedes its timestamp", Shapes.Small),
        new("NoLastCheck", "R1", "an update is ordered although it was not built on the last version", Shapes.Small),
        new("NoRtsBump", "R1", "a read leaves no read timestamp", Shapes.Small),
        new("VidSeq", "R1a", "a second write changes the version that others have read", Shapes.Small),
        new(
            "PrepEpoch", "R1b", "a prepare is taken by another epoch than the one that served the accesses",
            Shapes.Moving),
        new("Idem", "R1c", "a call that arrives twice runs twice", Shapes.Small),
        new("DoneMem", "R1c", "what is over is not told from what is new", Shapes.Small),
        new("ClockSkew", "R2", "messages from clocks that lead too far are taken", Shapes.Hostile),
        new(
            "RetimeGuard", "R2", "a transaction moves to a later timestamp although others have read its versions",
            Shapes.Small),
        new("NoR3", "R3", "reading undecided versions makes no dependency", Shapes.Small),
        new("NoCascade", "R4", "what was built upon an aborted version is not aborted at once", Shapes.Small),
        new("R4ResetRts", "R4", "read timestamps go when a version goes", Shapes.Small),
        new("VoteNamesC", "V1", "votes of different rounds count together", Shapes.Hanging),
        new("RoDepLog", "V1", "a reader of undecided versions votes without a record", Shapes.Small),
        new("MgrEpoch", "V2", "any epoch of the manager decides", Shapes.Torn),
        new("AbortViaMgr", "V3", "an agent aborts without the manager after prepares were sent", Shapes.Hostile),
        new(
            "AbortWhileRecording", "V3", "the manager aborts while its commit record is being appended",
            Shapes.Hostile),
        new("Tomb", "V4", "\"unknown\" is said and not remembered", Shapes.Hostile),
        new("AbortProof", "V4", "an abort is told before it is logged", Shapes.Small),
        new("UnkProof", "V4", "an abort inferred from \"unknown\" is applied before it is logged", Shapes.Small),
        new("NoR7Answer", "V5", "\"committed\" is said while dependencies are undecided", Shapes.Small),
        new("NoR7Recovery", "V5", "a recovered commit record counts as committed whatever it depends on", Shapes.Small),
        new("ResolveBeforeConfirm", "V5", "final confirms are sent before the resolution is logged", Shapes.Hanging),
        new("DepOutcomeKept", "V6", "an outcome is forgotten while dependents need it", Shapes.Hanging),
        new("AgentAck", "V6", "an outcome is forgotten before the agent has told its caller", Shapes.Torn),
        new(
            "DeathUnheard", "V6", "who reads in a log that its own node is dead, or another, goes on as before",
            Shapes.Mistaken),
        new("AckProof", "V6", "an outcome is acknowledged before it is in the log", Shapes.Apart),
        new("OnePartition", "V7", "one participant goes through two phases", Shapes.Small),
        new(
            "StagedForgotten", "V2",
            "a later epoch aborts what an earlier one has staged without asking the participants", Shapes.Hostile),
        new("StagedNoPromise", "V2", "who has no prepare says so, and gets one after that", Shapes.Apart),
        new("StagedNoProof", "V2", "who was deposed, and does not know it, says that it has no prepare", Shapes.Apart),
        new("StagedAbortUnlogged", "V4", "the abort of what is staged is told before it is logged", Shapes.Hostile),
        new(
            "StagedFinalEarly", "V6", "final confirms are sent before the commit of what is staged is recorded",
            Shapes.Hostile),
        new("Fence", "L1", "a successor reads the log without fencing it", Shapes.Small),
        new(
            "BehindAnybody", "L1", "an append is taken behind another batch than the one that it was to follow",
            Shapes.Stale),
        new("VoteEarly", "L2", "a participant votes before its prepare is logged", Shapes.Small),
        new("DropPrepared", "L2", "prepares without an outcome are dropped at recovery", Shapes.Small),
        new("ErrMeansNotWritten", "L3", "a failed append is taken for not written", Shapes.Small),
        new("NoCeiling", "L4", "there is no ceiling", Shapes.Stale),
        new("NoCeilingReads", "L4", "reads are ordered above the ceiling", Shapes.Stale),
        new("RoCeiling", "L4", "declared read-only transactions read above the ceiling", Shapes.Stale),
        new(
            "CommitWait", "L4",
            "a successor orders writes, and an agent tells its caller, before its clock has passed the timestamp",
            Shapes.Small),
        new("RoUndecided", "D1", "declared read-only transactions read undecided versions", Shapes.Small),
        new("RoSkip", "D1", "declared read-only transactions skip undecided versions", Shapes.Small),
        new(
            "OrderBeforeExposed", "engine", "a transaction is ordered before the exposed version that it was built on",
            Shapes.Small),
        new("TrustEarlyValidation", "engine", "what was validated early is not validated at commit", Shapes.Small),
        new("StalePrefix", "engine", "a resumed body is served the access that failed validation", Shapes.Calm),
        new(
            "NoOpacity", "engine",
            "an exception of user code reaches the caller although what it had read may be untrue", Shapes.Small),
        new("LostWakeUp", "engine", "of those who wait for a transaction, one is not woken", Shapes.Calm),
        new("OneDependency", "engine", "a transaction remembers the first of its dependencies only", Shapes.Small),
        new("MissingVote", "engine", "a manager commits with a vote missing", Shapes.Small),
        new("AnswerBeforeDurable", "engine", "a caller is told before the commit record is durable", Shapes.Small),
        new("ShortRecovery", "engine", "recovery leaves the last batch of the log out", Shapes.Small),
        new("SharedState", "engine", "user code changes the version itself, not a copy", Shapes.Small),
        new("FinalStepEarly", "engine", "the final step is taken while dependencies are undecided", Shapes.Deciding),
        new("FinalStepAbort", "engine", "a manager aborts while the final step is being taken", Shapes.Deciding),
        new(
            "FinalStepUnawaited", "engine", "a transaction commits while its final step is being taken",
            Shapes.Deciding),
        new("FinalStepDeaf", "engine", "a transaction commits whatever its final step has answered", Shapes.Deciding),
        new(
            "NeverGiveWay", "engine",
            "who holds a reservation keeps it from an older one that waits, though its body has not begun",
            Shapes.Reserving),
        new("ReserveKept", "engine", "a transaction that has aborted keeps what it had reserved", Shapes.Small),
        new(
            "ReserveOnce", "engine", "a chain of reservations is not begun again when a message of it is lost",
            Shapes.Reserving),
        new(
            "HandOnEarly", "engine", "what was reserved is handed on after the first access, whatever is planned",
            Shapes.Reserving),
        new("HandOnBehind", "engine", "who has handed on is not ordered before those to whom it has", Shapes.Reserving),
        new(
            "WoundOrdered", "engine", "an older transaction aborts a younger one that has been ordered",
            Shapes.Hostile),
        new(
            "RowTornPrepares", "rows", "what a store has left in a row that failed half-way counts as prepared",
            Shapes.Small)
        {
            Storage = StorageKind.Rows
        },
        new(
            "RowForgetsOutcomes", "rows",
            "a row does not keep what has become of transactions that somebody may ask about", Shapes.Moving)
        {
            Storage = StorageKind.Rows
        },
        new("RowForgetsDeaths", "rows", "a row does not keep that a node is dead whose outcomes it dropped",
            Shapes.Mistaken)
        {
            Storage = StorageKind.Rows
        },
        new("RowReusesNumbers", "rows", "a store replaces a prepared state that did not abort", Shapes.Small)
        {
            Storage = StorageKind.Rows
        },
        new(
            "RowBatchIdentity", "rows",
            "after a store that threw, a rival's batch at the same position is taken for the own", Shapes.Moving)
        {
            Storage = StorageKind.Rows
        },
        new(
            "RowHeldBackLast", "rows", "what was built on a prepare that its manager holds back is stored before it",
            Shapes.Small)
        {
            Storage = StorageKind.Rows
        },
        new(
            "RowAnswersUnfenced", "rows", "who has loaded a row answers for it before its fence is there",
            Shapes.Moving)
        {
            Storage = StorageKind.Rows
        },
        new(
            "RowSharesEpoch", "rows",
            "a prepare is taken by a rival that has loaded the same row as the owner that served the accesses",
            Shapes.Moving)
        {
            Storage = StorageKind.Rows
        },
    ];

    /// <summary>One by name.</summary>
    /// <exception cref="ArgumentException">There is none of that name; the message lists those that are.</exception>
    public static Canary Get(string name) =>
        List.FirstOrDefault(c => c.Name.Equals(name, StringComparison.OrdinalIgnoreCase))
            ?? throw new ArgumentException(
                $"'{name}' is no rule that can be removed; there are {string.Join(", ", List.Select(c => c.Name))}.");
}
