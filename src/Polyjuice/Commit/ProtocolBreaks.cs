namespace Polyjuice.Commit;

/// <summary>
/// Switches that each remove one rule of the commit protocol or break one mechanism of the engine, for tests that prove that they would
/// notice. Never set outside tests. The first names are those of the protocol's executable model.
/// </summary>
[Flags]
internal enum ProtocolBreaks : ulong
{
    None = 0,
    NoReadCheck = 1UL << 0,
    NoRtsBump = 1UL << 1,
    VidSeq = 1UL << 2,
    PrepEpoch = 1UL << 3,
    Idem = 1UL << 4,
    DoneMem = 1UL << 5,
    RetimeGuard = 1UL << 6,
    NoR3 = 1UL << 7,
    R4ResetRts = 1UL << 8,
    VoteNamesC = 1UL << 9,
    RoDepLog = 1UL << 10,
    MgrEpoch = 1UL << 11,
    AbortViaMgr = 1UL << 12,
    AbortWhileRecording = 1UL << 13,
    Tomb = 1UL << 14,
    AbortProof = 1UL << 15,
    UnkProof = 1UL << 16,
    NoR7Answer = 1UL << 17,
    NoR7Recovery = 1UL << 18,
    ResolveBeforeConfirm = 1UL << 19,
    AgentAck = 1UL << 20,
    AckProof = 1UL << 21,
    Fence = 1UL << 22,
    VoteEarly = 1UL << 23,
    DropPrepared = 1UL << 24,
    ErrMeansNotWritten = 1UL << 25,
    NoCeiling = 1UL << 26,
    NoCeilingReads = 1UL << 27,
    RoCeiling = 1UL << 28,
    CommitWait = 1UL << 29,
    RoUndecided = 1UL << 30,
    RoSkip = 1UL << 31,
    ClockSkew = 1UL << 32,
    NoLastCheck = 1UL << 33,
    NoCascade = 1UL << 34,
    OnePartition = 1UL << 35,
    DepOutcomeKept = 1UL << 36,

    // What only the engine has.
    OrderBeforeExposed = 1UL << 37,
    TrustEarlyValidation = 1UL << 38,
    StalePrefix = 1UL << 39,
    NoOpacity = 1UL << 40,
    LostWakeUp = 1UL << 41,
    OneDependency = 1UL << 42,
    MissingVote = 1UL << 43,
    AnswerBeforeDurable = 1UL << 44,
    ShortRecovery = 1UL << 45,
    SharedState = 1UL << 46,
    FinalStepEarly = 1UL << 51,
    FinalStepAbort = 1UL << 52,
    FinalStepDeaf = 1UL << 53,
    FinalStepUnawaited = 1UL << 54,
    BehindAnybody = 1UL << 56,

    // What only rows have.
    RowTornPrepares = 1UL << 47,
    RowForgetsOutcomes = 1UL << 48,
    RowReusesNumbers = 1UL << 49,
    RowBatchIdentity = 1UL << 50,
    RowHeldBackLast = 1UL << 55,
}
