using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Storage;

/// <summary>A prepare record as read back.</summary>
internal sealed class RecoveredPrepare
{
    /// <summary>Its log has it as <see cref="LogRecordKind.Staged"/>.</summary>
    public bool IsStaged { get; init; }

    public required TransactionId Id { get; init; }
    public required string Type { get; init; }
    public required int Round { get; init; }
    public required long Timestamp { get; init; }
    public required int Manager { get; init; }
    public required long ManagerEpoch { get; init; }
    public required ParticipantUse[] Parts { get; init; }
    public required List<RecoveredVersion> Writes { get; init; }
    public required List<(TransactionId Id, long Epoch)> Dependencies { get; init; }

    /// <param name="reader">Stands behind the kind.</param>
    /// <param name="kind">The kind: <see cref="LogRecordKind.Prepare"/> or <see cref="LogRecordKind.Staged"/>.</param>
    public static RecoveredPrepare Read(ref ByteReader reader, LogRecordKind kind = LogRecordKind.Prepare)
    {
        var id = Message.ReadId(ref reader);
        var type = reader.Name();
        var round = (int)reader.Int();
        var timestamp = reader.Int();
        var manager = reader.Partition();
        var managerEpoch = reader.Int();
        var parts = Message.ReadParts(ref reader);
        var writes = new List<RecoveredVersion>();
        for (var n = reader.Count(); n > 0; n--)
        {
            var key = LogRecords.ReadKey(ref reader);
            var version = LogRecords.ReadVersionId(ref reader);
            var based = LogRecords.ReadVersionId(ref reader);
            writes.Add(new RecoveredVersion(key, version, based, reader.Name(), reader.LengthPrefixed().ToArray()));
        }

        var dependencies = new List<(TransactionId, long)>();
        for (var n = reader.Count(); n > 0; n--) dependencies.Add((Message.ReadId(ref reader), reader.Int()));
        return new RecoveredPrepare
        {
            IsStaged = kind == LogRecordKind.Staged, Id = id, Type = type, Round = round, Timestamp = timestamp,
            Manager = manager, ManagerEpoch = managerEpoch, Parts = parts, Writes = writes, Dependencies = dependencies,
        };
    }
}

/// <summary>A written version as read back.</summary>
internal sealed record RecoveredVersion(ParticipantKey Key, VersionId Id, VersionId Base, string Codec, byte[] Encoded);

/// <summary>The latest committed version of a participant, as a checkpoint keeps it.</summary>
internal sealed record CommittedState(VersionId Version, long Timestamp, string Codec, byte[] Encoded);
