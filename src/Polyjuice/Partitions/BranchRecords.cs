using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// The records of what an owner does with its branches and decisions, in the format of <see cref="LogRecords"/>.
/// </summary>
internal static class BranchRecords
{
    /// <summary>A prepare of a transaction.</summary>
    /// <param name="batch">Where to.</param>
    /// <param name="branch">Whose.</param>
    /// <param name="parts">Who takes part; none where only the manager's record says so.</param>
    /// <param name="epoch">In which epoch its dependencies arose.</param>
    public static void WritePrepare(ByteWriter batch, Branch branch, ParticipantUse[] parts, long epoch)
    {
        var start = LogRecords.BeginPrepare(
            batch, branch.IsStaged, branch.Id, branch.Transaction.Type, branch.Round, branch.Timestamp, branch.Manager,
            branch.ManagerEpoch, parts);
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

    public static void WriteCommit(ByteWriter batch, Decision decision, long timestamp) =>
        LogRecords.WriteCommit(
            batch,
            decision.Id,
            decision.Round,
            timestamp,
            decision.Parts,
            decision.MustAcknowledge,
            decision.Unresolved?.ToArray());

    private static void WriteVersion(ByteWriter batch, Participant participant, StateVersion write)
    {
        WriteKey(batch, participant);
        LogRecords.WriteVersionId(batch, write.Id);
        LogRecords.WriteVersionId(batch, write.Previous!.Id);
        var adapter = participant.Adapter
            ?? throw new InvariantException(
                $"{participant.Key.Grain}.{participant.Key.State} was written without a codec.");
        batch.String(adapter.CodecName);
        var length = batch.BeginLength();
        adapter.Encode(write.GetValue(adapter), batch);
        batch.EndLength(length);
    }

    private static void WriteKey(ByteWriter batch, Participant participant)
    {
        if (participant.LoggedKey is { } known)
        {
            batch.Raw(known);
            return;
        }

        var start = batch.Length;
        LogRecords.WriteKey(batch, participant.Key);
        participant.LoggedKey = batch.Written[start..].ToArray();
    }
}
