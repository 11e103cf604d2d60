namespace Polyjuice.Simulation.Faults;

/// <summary>
/// What goes wrong in a simulated cluster. Single bits are kinds
/// that are injected and counted; the others are groups of them.
/// </summary>
[Flags]
internal enum FaultKinds
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>A silo dies between two of its events, and another takes its place.</summary>
    Crash = 1 << 0,

    /// <summary>
    /// A silo dies in the middle of a flush: some of its messages and appends go out, and others do not.
    /// </summary>
    CrashMidBatch = 1 << 1,

    /// <summary>All silos die at once.</summary>
    Outage = 1 << 2,

    /// <summary>A message is lost.</summary>
    Loss = 1 << 3,

    /// <summary>A message arrives twice.</summary>
    Duplication = 1 << 4,

    /// <summary>A message is late, long after those that were sent later.</summary>
    Delay = 1 << 5,

    /// <summary>Two silos do not see each other for a while.</summary>
    Partition = 1 << 6,

    /// <summary>One silo does not hear another for a while, which still hears it.</summary>
    OneWayPartition = 1 << 7,

    /// <summary>A silo stops for a while, or serves each of its events late.</summary>
    SlowSilo = 1 << 8,

    /// <summary>A silo's clock is off from its start.</summary>
    ClockSkew = 1 << 9,

    /// <summary>A silo's clock jumps.</summary>
    ClockJump = 1 << 10,

    /// <summary>
    /// A partition is given to another silo while its owner lives
    /// and does not know: two activations of each of its grains.
    /// </summary>
    RivalOwner = 1 << 11,

    /// <summary>An append fails and nothing was written.</summary>
    ErrorBeforeWrite = 1 << 12,

    /// <summary>An append fails and was written.</summary>
    ErrorAfterWrite = 1 << 13,

    /// <summary>An append fails, and is written later.</summary>
    LateWrite = 1 << 14,

    /// <summary>A log cannot be read, or not its end.</summary>
    ReadError = 1 << 15,

    /// <summary>The storage takes long.</summary>
    SlowStorage = 1 << 16,

    /// <summary>
    /// A power failure leaves part of an append that was under way, with
    /// holes; or takes back what was deleted. Where silos share a disk.
    /// </summary>
    TornWrite = 1 << 17,

    /// <summary>
    /// The clock of a silo that owns nothing is far beyond the configured skew for a while: nobody may believe it.
    /// </summary>
    WildClock = 1 << 18,

    /// <summary>
    /// A silo that can't be reached, or stands still, is declared dead. It comes back, does not know that, and takes
    /// back what it believes to be its own, until its membership tells it.
    /// </summary>
    MistakenDeath = 1 << 19,

    /// <summary>Everything that silos do by dying, or by being slow.</summary>
    AllCrash = Crash | CrashMidBatch | Outage | SlowSilo,

    /// <summary>Everything that happens to messages.</summary>
    AllNetwork = Loss | Duplication | Delay | Partition | OneWayPartition,

    /// <summary>Everything that happens to logs.</summary>
    AllStorage = ErrorBeforeWrite | ErrorAfterWrite | LateWrite | ReadError | SlowStorage | TornWrite,

    /// <summary>Everything that happens to clocks.</summary>
    AllClock = ClockSkew | ClockJump | WildClock,

    /// <summary>Everything that makes two silos believe that they own the same.</summary>
    AllOwners = RivalOwner | MistakenDeath,

    /// <summary>Everything.</summary>
    All = AllCrash | AllNetwork | AllStorage | AllClock | AllOwners,
}
