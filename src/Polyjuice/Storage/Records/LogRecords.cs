using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Storage;

/// <summary>
/// The batch format: a version byte, then records; the pieces of a checkpoint are batches too. A record is a 4-byte
/// little-endian length, a kind (<see cref="LogRecordKind"/>) and its fields as variable-length integers and
/// length-prefixed UTF-8 or bytes. An unknown version or kind is refused, never guessed at.
/// </summary>
internal static class LogRecords
{
    /// <summary>What a batch begins with.</summary>
    public const byte Version = 1;

    /// <summary>The oldest live attempt of a node that was declared dead: none of it is.</summary>
    public const long NoneLive = long.MaxValue;

    /// <summary>Reads a batch's version.</summary>
    /// <exception cref="LogVersionException">A newer version of Polyjuice wrote it.</exception>
    public static void ReadVersion(ref ByteReader batch)
    {
        var version = batch.Byte();
        if (version != Version) throw new LogVersionException("A batch of the log", version, Version);
    }

    public static void WriteFence(ByteWriter batch, NodeId node)
    {
        var start = Begin(batch, LogRecordKind.Fence);
        batch.Int(node.Value);
        batch.EndLength(start);
    }

    public static void WriteCeiling(ByteWriter batch, long ceiling)
    {
        var start = Begin(batch, LogRecordKind.Ceiling);
        batch.Int(ceiling);
        batch.EndLength(start);
    }

    public static void WriteResolved(ByteWriter batch, TransactionId id, bool committed)
    {
        var start = Begin(batch, LogRecordKind.Resolved);
        Message.WriteId(batch, id);
        batch.Byte(committed ? (byte)1 : (byte)0);
        batch.EndLength(start);
    }

    public static void WriteOutcome(ByteWriter batch, TransactionId id, bool committed, int manager)
    {
        var start = Begin(batch, LogRecordKind.Outcome);
        Message.WriteId(batch, id);
        batch.Byte(committed ? (byte)1 : (byte)0);
        batch.Partition(manager);
        batch.EndLength(start);
    }

    public static void WriteForget(ByteWriter batch, TransactionId id)
    {
        var start = Begin(batch, LogRecordKind.Forget);
        Message.WriteId(batch, id);
        batch.EndLength(start);
    }

    public static void WriteOldestLive(ByteWriter batch, IReadOnlyCollection<KeyValuePair<NodeId, long>> agents)
    {
        var start = Begin(batch, LogRecordKind.OldestLive);
        batch.UInt((ulong)agents.Count);
        foreach (var (node, oldest) in agents)
        {
            batch.Int(node.Value);
            batch.Int(oldest);
        }

        batch.EndLength(start);
    }

    public static void WriteLatest(ByteWriter batch, long timestamp)
    {
        var start = Begin(batch, LogRecordKind.Latest);
        batch.Int(timestamp);
        batch.EndLength(start);
    }

    public static void WriteState(ByteWriter batch, ParticipantKey key, CommittedState state)
    {
        var start = Begin(batch, LogRecordKind.State);
        WriteKey(batch, key);
        WriteVersionId(batch, state.Version);
        batch.Int(state.Timestamp);
        WriteEncoded(batch, state.Codec, state.Encoded);
        batch.EndLength(start);
    }

    /// <summary>The same of what is bytes already: its participant's name, and its codec and state.</summary>
    public static void WriteState(
        ByteWriter batch, ReadOnlySpan<byte> key, VersionId version, long timestamp, ReadOnlySpan<byte> encoded)
    {
        var start = Begin(batch, LogRecordKind.State);
        batch.Raw(key);
        WriteVersionId(batch, version);
        batch.Int(timestamp);
        batch.Raw(encoded);
        batch.EndLength(start);
    }

    /// <summary>A record as it was read back, without its length.</summary>
    public static void WriteRecord(ByteWriter batch, ReadOnlySpan<byte> record)
    {
        var start = Begin(batch, (LogRecordKind)record[0]);
        batch.Raw(record[1..]);
        batch.EndLength(start);
    }

    /// <summary>A prepare as it was read back.</summary>
    public static void WritePrepare(ByteWriter batch, RecoveredPrepare prepare)
    {
        var start = BeginPrepare(
            batch, prepare.IsStaged, prepare.Id, prepare.Type, prepare.Round, prepare.Timestamp, prepare.Manager,
            prepare.ManagerEpoch, prepare.Parts);
        batch.UInt((ulong)prepare.Writes.Count);
        foreach (var write in prepare.Writes)
        {
            WriteKey(batch, write.Key);
            WriteVersionId(batch, write.Id);
            WriteVersionId(batch, write.Base);
            WriteEncoded(batch, write.Codec, write.Encoded);
        }

        batch.UInt((ulong)prepare.Dependencies.Count);
        foreach (var (id, epoch) in prepare.Dependencies)
        {
            Message.WriteId(batch, id);
            batch.Int(epoch);
        }

        batch.EndLength(start);
    }

    /// <summary>The record of a prepare with one write, as it is, but for the encoded state.</summary>
    public static void WritePrepareWithoutState(ByteWriter batch, ReadOnlySpan<byte> record)
    {
        var prepare = new PrepareReader(record);
        if (!prepare.TryReadWrite(out var write))
            throw new InvariantException("A prepare without a write has no state to leave out.");
        var state = new ByteReader(write.State);
        state.Bytes();
        var end = record.Length - prepare.Left;
        var start = Begin(batch, (LogRecordKind)record[0]);
        batch.Raw(record[1..(end - state.Left)]);
        batch.EndLength(batch.BeginLength());
        batch.Raw(record[end..]);
        batch.EndLength(start);
    }

    /// <summary>A commit as it was read back.</summary>
    public static void WriteCommit(ByteWriter batch, RecoveredCommit commit) =>
        WriteCommit(
            batch, commit.Id, commit.Round, commit.Timestamp, commit.Parts, commit.MustAcknowledge,
            commit.Dependencies);

    public static ParticipantKey ReadKey(ref ByteReader reader) => new(reader.String(), reader.Name(), reader.Name());

    public static VersionId ReadVersionId(ref ByteReader reader) => new(Message.ReadId(ref reader), (int)reader.Int());

    /// <summary>Takes a codec's name and a state off a record, as they are.</summary>
    public static ReadOnlySpan<byte> SkipEncoded(scoped ref ByteReader reader, ReadOnlySpan<byte> record)
    {
        var start = record.Length - reader.Left;
        reader.Bytes();
        reader.LengthPrefixed();
        return record[start..^reader.Left];
    }

    /// <summary>The record of a batch that has one, without its length.</summary>
    public static ReadOnlySpan<byte> OnlyRecord(ByteWriter batch)
    {
        var reader = new ByteReader(batch.Written);
        ReadVersion(ref reader);
        return reader.LengthPrefixed();
    }

    /// <summary>What a prepare begins with; its writes and its dependencies follow.</summary>
    public static int BeginPrepare(
        ByteWriter batch, bool isStaged, TransactionId id, string type, int round, long timestamp, int manager,
        long managerEpoch, ParticipantUse[] parts)
    {
        var start = Begin(batch, isStaged ? LogRecordKind.Staged : LogRecordKind.Prepare);
        Message.WriteId(batch, id);
        batch.String(type);
        batch.Int(round);
        batch.Int(timestamp);
        batch.Partition(manager);
        batch.Int(managerEpoch);
        Message.WriteParts(batch, parts);
        return start;
    }

    /// <summary>A manager's decision.</summary>
    public static void WriteCommit(
        ByteWriter batch, TransactionId id, int round, long timestamp, ParticipantUse[] parts,
        List<int>? mustAcknowledge, CommitDependency[]? dependencies)
    {
        var start = Begin(batch, LogRecordKind.Commit);
        Message.WriteId(batch, id);
        batch.Int(round);
        batch.Int(timestamp);
        Message.WriteParts(batch, parts);
        batch.UInt((ulong)(mustAcknowledge?.Count ?? 0));
        if (mustAcknowledge is not null)
        {
            foreach (var partition in mustAcknowledge) batch.Partition(partition);
        }

        Message.WriteDependencies(batch, dependencies);
        batch.EndLength(start);
    }

    private static int Begin(ByteWriter batch, LogRecordKind kind)
    {
        if (batch.Length == 0) batch.Byte(Version);
        var start = batch.BeginLength();
        batch.Byte((byte)kind);
        return start;
    }

    public static void WriteKey(ByteWriter batch, ParticipantKey key)
    {
        batch.String(key.Grain);
        batch.String(key.State);
        batch.String(key.GrainClass);
    }

    public static void WriteVersionId(ByteWriter batch, VersionId id)
    {
        Message.WriteId(batch, id.Transaction);
        batch.Int(id.Write);
    }

    private static void WriteEncoded(ByteWriter batch, string codec, byte[] encoded)
    {
        batch.String(codec);
        var length = batch.BeginLength();
        batch.Raw(encoded);
        batch.EndLength(length);
    }
}
