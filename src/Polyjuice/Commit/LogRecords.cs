using Polyjuice.Execution;
using Polyjuice.Hosting;

namespace Polyjuice.Commit;

/// <summary>
/// The batch format, version 1: a record is a 4-byte little-endian length, a kind (<see cref="LogRecordKind"/>) and its fields as
/// variable-length integers and length-prefixed UTF-8 or bytes. An unknown kind is refused, never guessed at.
/// </summary>
internal static class LogRecords
{
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

    public static void WritePrepare(ByteWriter batch, Branch branch, long epoch)
    {
        var start = Begin(batch, LogRecordKind.Prepare);
        Message.WriteId(batch, branch.Id);
        batch.String(branch.Transaction.Type);
        batch.Int(branch.Round);
        batch.Int(branch.Timestamp);
        batch.Int(branch.Manager);
        batch.Int(branch.ManagerEpoch);
        Message.WriteParts(batch, branch.Parts);
        var writes = 0;
        if (!branch.ReadsOnly)
        {
            foreach (var entry in branch.Entries) writes += entry.Write is null ? 0 : 1;
        }

        batch.UInt((ulong)writes);
        if (writes > 0)
        {
            foreach (var entry in branch.Entries)
            {
                if (entry.Write is { } write) WriteVersion(batch, entry.Participant, write);
            }
        }

        var dependencies = branch.DependsOn;
        batch.UInt((ulong)(dependencies?.Count ?? 0));
        if (dependencies is not null)
        {
            foreach (var dependency in dependencies)
            {
                Message.WriteId(batch, dependency.Id);
                batch.Int(epoch);
            }
        }

        batch.EndLength(start);
    }

    public static void WriteCommit(ByteWriter batch, Decision decision, long timestamp)
    {
        var start = Begin(batch, LogRecordKind.Commit);
        Message.WriteId(batch, decision.Id);
        batch.Int(decision.Round);
        batch.Int(timestamp);
        Message.WriteParts(batch, decision.Parts);
        batch.UInt((ulong)(decision.MustAcknowledge?.Count ?? 0));
        if (decision.MustAcknowledge is { } partitions)
        {
            foreach (var partition in partitions) batch.Int(partition);
        }

        Message.WriteDependencies(batch, decision.Unresolved?.ToArray());
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
        batch.Int(manager);
        batch.EndLength(start);
    }

    public static void WriteForget(ByteWriter batch, TransactionId id)
    {
        var start = Begin(batch, LogRecordKind.Forget);
        Message.WriteId(batch, id);
        batch.EndLength(start);
    }

    private static int Begin(ByteWriter batch, LogRecordKind kind)
    {
        var start = batch.BeginLength();
        batch.Byte((byte)kind);
        return start;
    }

    private static void WriteVersion(ByteWriter batch, Participant participant, StateVersion write)
    {
        batch.String(participant.Key.Grain);
        batch.String(participant.Key.State);
        batch.String(participant.Key.GrainClass);
        Message.WriteId(batch, write.Id.Transaction);
        batch.Int(write.Id.Write);
        var based = write.Previous!.Id;
        Message.WriteId(batch, based.Transaction);
        batch.Int(based.Write);
        var adapter = participant.Adapter ?? throw new InvariantException($"{participant.Key.Grain}.{participant.Key.State} was written without a codec.");
        batch.String(adapter.CodecName);
        var length = batch.BeginLength();
        adapter.Encode(write.GetValue(adapter), batch);
        batch.EndLength(length);
    }
}
