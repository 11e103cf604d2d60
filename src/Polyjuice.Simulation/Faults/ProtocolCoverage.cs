using System.Numerics;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Faults;

/// <summary>
/// Which parts of the commit protocol a run's faults have hit: which messages were lost, and which steps a crash
/// interrupted. A step is the receipt of a kind of message (handled, and what follows from it not sent), the sending of
/// one (the flush broke off before it), an append with a kind of record that the crashed silo had asked for (not
/// written yet, or written and not heard of), and a read of a log.
/// Something that was never hit in many runs is a hole in the test.
/// </summary>
internal sealed class ProtocolCoverage
{
    private static readonly MessageKind[] Messages =
    [
        .. Enum.GetValues<MessageKind>().Where(k => k != MessageKind.Continue)
    ];
    private static readonly LogRecordKind[] Records = Enum.GetValues<LogRecordKind>();

    private readonly long[] _sent = new long[64];
    private readonly long[] _lost = new long[64];
    private readonly long[] _receipts = new long[64];
    private readonly long[] _unsent = new long[64];
    private readonly long[] _appends = new long[64];
    private readonly long[] _unwritten = new long[64];
    private readonly long[] _unheard = new long[64];
    private long _logReads;

    /// <summary>Kinds of messages that can be lost. What a silo says to itself only cannot.</summary>
    public static IReadOnlyList<string> MessageKinds { get; } = [.. Messages.Select(m => m.ToString())];

    /// <summary>Whether anything was looked at.</summary>
    public bool HasSeenMessages => Array.Exists(_sent, static count => count > 0);

    /// <summary>Kinds of log records.</summary>
    public static IReadOnlyList<string> RecordKinds { get; } = [.. Records.Select(r => r.ToString())];

    /// <summary>
    /// Per kind of message: batches that were sent with one in them, and how many of those were lost.
    /// </summary>
    public IEnumerable<(string Kind, long Sent, long Lost, long Unhandled, long Unsent)> ByMessage =>
        Messages.Select(m => (m.ToString(), _sent[(int)m], _lost[(int)m], _receipts[(int)m], _unsent[(int)m]));

    /// <summary>
    /// Per kind of record: batches that were appended with one in them,
    /// and how many a crash interrupted before and after the write.
    /// </summary>
    public IEnumerable<(string Kind, long Appends, long Unwritten, long Unheard)> ByRecord =>
        Records.Select(r => (r.ToString(), _appends[(int)r], _unwritten[(int)r], _unheard[(int)r]));

    /// <summary>Crashes while a log was read.</summary>
    public long LogReadsInterrupted => _logReads;

    /// <summary>What was never hit, in words.</summary>
    public IEnumerable<string> Holes()
    {
        foreach (var (kind, _, lost, receipts, unsent) in ByMessage)
        {
            if (lost == 0) yield return $"no {kind} was lost";
            if (receipts == 0) yield return $"no crash came right after a {kind} was received";
            if (unsent == 0) yield return $"no crash came right before a {kind} was sent";
        }

        foreach (var (kind, _, unwritten, unheard) in ByRecord)
        {
            if (unwritten == 0) yield return $"no crash came before a {kind} record was written";
            if (unheard == 0) yield return $"no crash came right after a {kind} record was written";
        }

        if (_logReads == 0) yield return "no crash came while a log was read";
    }

    /// <summary>Adds another run's.</summary>
    public void Add(ProtocolCoverage other)
    {
        Sum(_sent, other._sent);
        Sum(_lost, other._lost);
        Sum(_receipts, other._receipts);
        Sum(_unsent, other._unsent);
        Sum(_appends, other._appends);
        Sum(_unwritten, other._unwritten);
        Sum(_unheard, other._unheard);
        _logReads += other._logReads;
    }

    internal void Sent(ulong kinds) => Count(_sent, kinds);

    internal void Lost(ulong kinds) => Count(_lost, kinds);

    internal void ReceiptInterrupted(ulong kinds) => Count(_receipts, kinds);

    internal void SendInterrupted(ulong kinds) => Count(_unsent, kinds);

    internal void Appended(ulong kinds) => Count(_appends, kinds);

    internal void AppendInterrupted(ulong kinds, bool isWritten) => Count(isWritten ? _unheard : _unwritten, kinds);

    internal void LogReadInterrupted() => _logReads++;

    private static void Count(long[] counts, ulong kinds)
    {
        for (; kinds != 0; kinds &= kinds - 1) counts[BitOperations.TrailingZeroCount(kinds)]++;
    }

    private static void Sum(long[] into, long[] from)
    {
        for (var i = 0; i < into.Length; i++) into[i] += from[i];
    }
}
