using System.ComponentModel.DataAnnotations;

namespace Polyjuice.Contracts;

/// <summary>
/// Bounds and intervals of one engine. All times are microseconds.
/// Validated when an engine is made; must not change afterwards.
/// </summary>
public sealed class EngineOptions
{
    /// <summary>Bound on a transaction, retries included. Default 10 s; 1 ms to 1 h.</summary>
    [Range(1_000L, 3_600_000_000L)]
    public long TransactionTimeoutMicroseconds { get; set; } = 10_000_000;

    /// <summary>
    /// Attempts at the most, before a retriable abort reaches the
    /// caller. Default 1,000; 1 to 1,000,000. Time is the usual bound.
    /// </summary>
    [Range(1, 1_000_000)]
    public int MaxAttempts { get; set; } = 1_000;

    /// <summary>
    /// Safety net on every wait for another transaction: how long it lasts while that one shows no sign that it gets
    /// on, on any silo. Counted anew after the whole process has stalled.
    /// Default 3 s; 1 ms to 10 min. Reaching it is counted and never expected.
    /// </summary>
    [Range(1_000L, 600_000_000L)]
    public long WaitDeadlineMicroseconds { get; set; } = 3_000_000;

    /// <summary>
    /// A message whose clock leads by more than this is refused (rule R2). Default 500 ms; 0 to 1 min.
    /// </summary>
    [Range(0L, 60_000_000L)]
    public long MaxClockSkewMicroseconds { get; set; } = 500_000;

    /// <summary>
    /// How far ahead an owner logs its timestamp ceiling (rule L4). A new owner waits until its clock has passed the
    /// ceiling, so keep it below the time that failure detection takes. Default 200 ms; 1 ms to 1 min.
    /// </summary>
    [Range(1_000L, 60_000_000L)]
    public long CeilingAheadMicroseconds { get; set; } = 200_000;

    /// <summary>Unanswered protocol messages are sent again after this. Default 200 ms; 1 ms to 1 min.</summary>
    [Range(1_000L, 60_000_000L)]
    public long ResendMicroseconds { get; set; } = 200_000;

    /// <summary>
    /// An agent asks the manager to abort a transaction that is not sealed after this. Default 3 s; 1 ms to 10 min.
    /// </summary>
    [Range(1_000L, 600_000_000L)]
    public long PrepareTimeoutMicroseconds { get; set; } = 3_000_000;

    /// <summary>
    /// Once the manager was asked, an agent waits this long for its
    /// word before it reports "in doubt". Default 10 s; 1 ms to 10 min.
    /// </summary>
    [Range(1_000L, 600_000_000L)]
    public long InDoubtTimeoutMicroseconds { get; set; } = 10_000_000;

    /// <summary>
    /// A transaction that has been waited for this long, and may wait at another silo itself, sends probes for a wait
    /// cycle; again at intervals that grow with that time, to 8 times this. Default 100 µs; 100 µs to 10 s.
    /// </summary>
    [Range(100L, 10_000_000L)]
    public long ProbeMicroseconds { get; set; } = 100;

    /// <summary>
    /// Versions that a participant keeps at most for declared read-only transactions;
    /// those overwritten too long ago go earlier. Default 8; 1 to 100,000.
    /// </summary>
    [Range(1, 100_000)]
    public int VersionsKept { get; set; } = 8;

    /// <summary>
    /// Unit of the learned backoff: where a type's backoff starts,
    /// and its least value above zero. Default 50 µs; 1 µs to 1 s.
    /// </summary>
    [Range(1L, 1_000_000L)]
    public long BackoffUnitMicroseconds { get; set; } = 50;

    /// <summary>Bound on the learned backoff. Default 20 ms; 1 µs to 1 min.</summary>
    [Range(1L, 60_000_000L)]
    public long BackoffMaxMicroseconds { get; set; } = 20_000;

    /// <summary>
    /// Share of the attempts of contended transaction types that conflicts may abort, 0.01 to 1. When there are more,
    /// fewer of them run at a time, and the others wait for their turn, the oldest transaction first; types without
    /// conflicts are not concerned. 1 switches this off. Default 0.1.
    /// </summary>
    [Range(0.01, 1.0)]
    public double ConflictShareTarget { get; set; } = 0.1;

    /// <summary>
    /// When attempts wait to start and none has ended for this long, one more starts, beyond the limit; then two, four,
    /// and from then on up to 16 at a time, until those within it get on. Default 100 ms; 100 µs to 1 min.
    /// </summary>
    [Range(100L, 60_000_000L)]
    public long AdmissionStallMicroseconds { get; set; } = 100_000;

    /// <summary>
    /// Period of the engine's housekeeping while anything is unfinished. Default 5 ms; 100 µs to 1 s.
    /// </summary>
    [Range(100L, 1_000_000L)]
    public long TickMicroseconds { get; set; } = 5_000;

    /// <summary>
    /// A log batch is closed, and the next one begun, when it has
    /// grown to this many bytes. Default 1 MiB; 256 B to 64 MiB.
    /// </summary>
    [Range(256L, 64L << 20)]
    public long BatchBytesMax { get; set; } = 1L << 20;

    /// <summary>
    /// The same, by the number of things that wait for it to be durable. Default 16,384; 1 to 1,000,000.
    /// </summary>
    [Range(1, 1_000_000)]
    public int BatchRecordsMax { get; set; } = 16_384;

    /// <summary>
    /// Bytes of log that may wait for the append in flight. Beyond that, prepares are refused until there is room: a
    /// store that stands still costs latency, never memory without bound. Default 64 MiB; 1 KiB to 4 GiB.
    /// </summary>
    [Range(1L << 10, 4L << 30)]
    public long LogBacklogBytesMax { get; set; } = 64L << 20;

    /// <summary>
    /// A checkpoint is made when the log has grown by this much since the last one, or by the size of that one, if it
    /// is larger (so that at most as much again is written as was logged). Default 32 MiB; 1 B to 1 TiB.
    /// </summary>
    [Range(1L, 1L << 40)]
    public long CheckpointBytes { get; set; } = 32L << 20;

    /// <summary>
    /// What the commit records of a state that is kept in a row of its own may take there, about, as JSON. Beyond that
    /// its prepares are refused until some can go: providers bound a row's metadata. Default 24 KiB; 1 KiB to 16 MiB.
    /// </summary>
    [Range(1 << 10, 16 << 20)]
    public int RowMetadataBytesMax { get; set; } = 24 << 10;

    /// <summary>
    /// How long what nobody waits for (that an outcome is known, that it may be forgotten) waits in memory for a store
    /// that a row needs anyway, before it gets one of its own. A crash meanwhile costs only that it is asked for again.
    /// 0: not at all. Default 5 s; 0 to 1 min.
    /// </summary>
    [Range(0L, 60_000_000L)]
    public long RowLingerMicroseconds { get; set; } = 5_000_000;

    /// <summary>
    /// The same for a log: an append that carries nothing else is in the way of what comes next. Rounded up to
    /// <see cref="TickMicroseconds"/>. 0: not at all. Default 5 ms; 0 to 1 min.
    /// </summary>
    [Range(0L, 60_000_000L)]
    public long LogLingerMicroseconds { get; set; } = 5_000;

    /// <summary>
    /// A log whose appends take longer than this in the mean may hold the next one back, for a fifth of that time at
    /// most, if it gains by that: those whom an append has answered tend to be back right after the next one has begun,
    /// and would wait for two. 0: none does. Default 2 ms; 0 to 1 min.
    /// </summary>
    [Range(0L, 60_000_000L)]
    public long GatherAppendsFromMicroseconds { get; set; } = 2_000;

    /// <summary>
    /// Whether a transaction whose participants all write is committed as soon as all of their prepares are durable,
    /// before its commit record is. For tests of the other way, which the others go.
    /// </summary>
    internal bool StagesCommits { get; set; } = true;

    /// <summary>
    /// Whether a new owner says at once that it serves, and what it has found prepared. For simulated runs without:
    /// what such messages make good must be made good without them, too.
    /// </summary>
    internal bool AnnouncesTakeOvers { get; set; } = true;

    /// <summary>
    /// So many transactions of a type in a row must have kept to what they had reserved before its transactions hand on
    /// to the next what they have updated for the last time, before they are ordered. One that hands on and then aborts
    /// takes along those who built on it, so a type that does such things is not to. Default 32; 0, which hands on at
    /// once, to <see cref="int.MaxValue"/>, which never does.
    /// </summary>
    [Range(0, int.MaxValue)]
    public int HandOnAfterKept { get; set; } = 32;

    /// <summary>
    /// Whether transactions that grain methods start may be run dry although their method has no
    /// <see cref="ReconnaissanceAttribute"/>. Default no.
    /// </summary>
    public bool DryRunsByDefault { get; set; }

    /// <summary>
    /// Whether it is learned what transactions of a type access, where that follows from the grain that is called and
    /// the keys in its arguments: then what they reserve is known without a dry run. Of those that are run dry and
    /// reserve only. Where most do and one in seventeen does not, they are run dry; until it is found out, some
    /// attempts begin anew. Default yes.
    /// </summary>
    public bool LearnsAccessSets { get; set; } = true;

    /// <summary>
    /// So many dry runs must have shown that before none is made any
    /// more, but for one in some. For simulated runs, which are short.
    /// </summary>
    internal int AccessSetsToTrust { get; set; } = 32;

    /// <summary>Bound on a dry run: what it has found by then is used. Default 500 ms; 1 ms to 10 min.</summary>
    [Range(1_000L, 600_000_000L)]
    public long DryRunTimeoutMicroseconds { get; set; } = 500_000;

    /// <summary>
    /// How long an attempt waits for its reservations in a queue that does not move, before it runs without those that
    /// it does not hold yet. Less than <see cref="WaitDeadlineMicroseconds"/>. Default 2 s; 1 ms to 10 min.
    /// </summary>
    [Range(1_000L, 600_000_000L)]
    public long ReservationTimeoutMicroseconds { get; set; } = 2_000_000;

    /// <summary>
    /// So many attempts run at a time at the most, whatever their types and conflicts; for simulated runs, which are
    /// too short for limits to be found out. 0, the default, is no such bound.
    /// </summary>
    internal int AttemptsMax { get; set; }

    /// <summary>Who hears for how long transactions stand in others' way.</summary>
    internal IConflictTimes? ConflictTimes { get; set; }

    /// <summary>The rule that a test removes; see <see cref="ProtocolBreaks"/>.</summary>
    /// <exception cref="InvalidOperationException">
    /// This process may not (<see cref="RemovableRules"/>).
    /// </exception>
    internal ProtocolBreaks Breaks
    {
        get => RemovableRules.AreRemovable ? field : ProtocolBreaks.None;
        set => field = RemovableRules.AreRemovable || value == ProtocolBreaks.None
            ? value
            : throw new InvalidOperationException(
                $"The rule {value} can't be removed: this process does not say so before it makes engines.");
    }

    /// <summary>Throws <see cref="ValidationException"/> naming the first option that is out of its bounds.</summary>
    internal void Validate() =>
        Validator.ValidateObject(this, new ValidationContext(this), validateAllProperties: true);
}
