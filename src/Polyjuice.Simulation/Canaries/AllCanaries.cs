namespace Polyjuice.Simulation.Canaries;

/// <summary>Every rule that can be removed. An instrument that does not miss it is broken.</summary>
public static class AllCanaries
{
    /// <summary>All of them.</summary>
    public static IReadOnlyList<Canary> List { get; } =
    [
        new("NoReadCheck", "R1", "a read is ordered although a later version precedes its timestamp", Runs.Shapes.Small),
        new("NoLastCheck", "R1", "an update is ordered although it was not built on the last version", Runs.Shapes.Small),
        new("NoRtsBump", "R1", "a read leaves no read timestamp", Runs.Shapes.Small),
        new("VidSeq", "R1a", "a second write changes the version that others have read", Runs.Shapes.Small),
        new("PrepEpoch", "R1b", "a prepare is taken by another epoch than the one that served the accesses", Runs.Shapes.Small),
        new("Idem", "R1c", "a call that arrives twice runs twice", Runs.Shapes.Small),
        new("DoneMem", "R1c", "what is over is not told from what is new", Runs.Shapes.Small),
        new("ClockSkew", "R2", "messages from clocks that lead too far are taken", Runs.Shapes.Small),
        new("RetimeGuard", "R2", "a transaction moves to a later timestamp although others have read its versions", Runs.Shapes.Small),
        new("NoR3", "R3", "reading undecided versions makes no dependency", Runs.Shapes.Small),
        new("NoCascade", "R4", "what was built upon an aborted version is not aborted at once", Runs.Shapes.Small),
        new("R4ResetRts", "R4", "read timestamps go when a version goes", Runs.Shapes.Small),
        new("VoteNamesC", "V1", "votes of different rounds count together", Runs.Shapes.Small),
        new("RoDepLog", "V1", "a reader of undecided versions votes without a record", Runs.Shapes.Small),
        new("MgrEpoch", "V2", "any epoch of the manager decides", Runs.Shapes.Small),
        new("AbortViaMgr", "V3", "an agent aborts without the manager after prepares were sent", Runs.Shapes.Small),
        new("AbortWhileRecording", "V3", "the manager aborts while its commit record is being appended", Runs.Shapes.Small),
        new("Tomb", "V4", "\"unknown\" is said and not remembered", Runs.Shapes.Small),
        new("AbortProof", "V4", "an abort is told before it is logged", Runs.Shapes.Small),
        new("UnkProof", "V4", "an abort inferred from \"unknown\" is applied before it is logged", Runs.Shapes.Small),
        new("NoR7Answer", "V5", "\"committed\" is said while dependencies are undecided", Runs.Shapes.Small),
        new("NoR7Recovery", "V5", "a recovered commit record counts as committed whatever it depends on", Runs.Shapes.Small),
        new("ResolveBeforeConfirm", "V5", "final confirms are sent before the resolution is logged", Runs.Shapes.Small),
        new("DepOutcomeKept", "V6", "an outcome is forgotten while dependents need it", Runs.Shapes.Small),
        new("AgentAck", "V6", "an outcome is forgotten before the agent has told its caller", Runs.Shapes.Small),
        new("AckProof", "V6", "an outcome is acknowledged before it is in the log", Runs.Shapes.Small),
        new("OnePartition", "V7", "one participant goes through two phases", Runs.Shapes.Small),
        new("Fence", "L1", "a successor reads the log without fencing it", Runs.Shapes.Small),
        new("VoteEarly", "L2", "a participant votes before its prepare is logged", Runs.Shapes.Small),
        new("DropPrepared", "L2", "prepares without an outcome are dropped at recovery", Runs.Shapes.Small),
        new("ErrMeansNotWritten", "L3", "a failed append is taken for not written", Runs.Shapes.Small),
        new("NoCeiling", "L4", "there is no ceiling", Runs.Shapes.Small),
        new("NoCeilingReads", "L4", "reads are ordered above the ceiling", Runs.Shapes.Small),
        new("RoCeiling", "L4", "declared read-only transactions read above the ceiling", Runs.Shapes.Small),
        new("CommitWait", "L4", "a successor orders writes, and an agent tells its caller, before its clock has passed the timestamp", Runs.Shapes.Small),
        new("RoUndecided", "D1", "declared read-only transactions read undecided versions", Runs.Shapes.Small),
        new("RoSkip", "D1", "declared read-only transactions skip undecided versions", Runs.Shapes.Small),
        new("OrderBeforeExposed", "engine", "a transaction is ordered before the exposed version that it was built on", Runs.Shapes.Small),
        new("TrustEarlyValidation", "engine", "what was validated early is not validated at commit", Runs.Shapes.Small),
        new("StalePrefix", "engine", "a resumed body is served the access that failed validation", Runs.Shapes.Small),
        new("NoOpacity", "engine", "an exception of user code reaches the caller although what it had read may be untrue", Runs.Shapes.Small),
        new("LostWakeUp", "engine", "of those who wait for a transaction, one is not woken", Runs.Shapes.Small),
        new("OneDependency", "engine", "a transaction remembers the first of its dependencies only", Runs.Shapes.Small),
        new("MissingVote", "engine", "a manager commits with a vote missing", Runs.Shapes.Small),
        new("AnswerBeforeDurable", "engine", "a caller is told before the commit record is durable", Runs.Shapes.Small),
        new("ShortRecovery", "engine", "recovery leaves the last batch of the log out", Runs.Shapes.Small),
        new("SharedState", "engine", "user code changes the version itself, not a copy", Runs.Shapes.Small),
    ];

    /// <summary>One by name.</summary>
    /// <exception cref="ArgumentException">There is none of that name; the message lists those that are.</exception>
    public static Canary Get(string name) => List.FirstOrDefault(c => c.Name.Equals(name, StringComparison.OrdinalIgnoreCase))
        ?? throw new ArgumentException($"'{name}' is no rule that can be removed; there are {string.Join(", ", List.Select(c => c.Name))}.");
}
