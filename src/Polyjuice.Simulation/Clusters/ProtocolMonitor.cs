using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;
using Polyjuice.Storage;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Clusters;

/// <summary>
/// Looks at what engines hold and log, for rules whose breach costs time or trust rather than correctness, so that no
/// history shows it: R2 (no timestamp leads), R4 (what was built on an aborted version goes at once) and V7 (one
/// participant, one append).
/// </summary>
internal sealed class ProtocolMonitor(SimulatedCluster cluster)
{
    /// <summary>A node has flushed: no transaction is left ordered with a version that is gone.</summary>
    public static void Flushed(SimulatedNode node)
    {
        foreach (var owner in node.Engine.Partitions.All)
        {
            if (!owner.IsActive) continue;
            foreach (var branch in owner.Branches)
            {
                if (branch.State is not (BranchState.Ordered or BranchState.Logged)) continue;
                foreach (var entry in branch.Entries)
                {
                    if (entry.Write is { Status: VersionStatus.Removed } gone)
                        throw new SimulationFailedException(
                            "cascade", $"{node.Id}: {branch.Id} is {branch.State}, and its version {gone.Id} is gone");
                }
            }
        }
    }

    /// <summary>A batch is in its log.</summary>
    public void Written(AppendRequest request)
    {
        cluster.Proofs?.Fences.Written(request.Partition, request.BatchId, request.Bytes);
        var records = LogTap.Read(request.Bytes);
        foreach (var record in records) cluster.Proofs?.Written(request.Partition, record);
        if (!records.Any(record => record.Kind is LogRecordKind.Prepare or LogRecordKind.Staged)) return;
        var reader = new ByteReader(request.Bytes, WireTap.Names);
        LogRecords.ReadVersion(ref reader);
        while (!reader.IsEmpty)
        {
            var record = new ByteReader(reader.LengthPrefixed(), WireTap.Names);
            var kind = (LogRecordKind)record.Byte();
            if (kind is LogRecordKind.Prepare or LogRecordKind.Staged)
                CheckPrepare(request, records, RecoveredPrepare.Read(ref record, kind));
        }
    }

    private void CheckPrepare(AppendRequest request, IReadOnlyList<TappedRecord> records, RecoveredPrepare prepare)
    {
        cluster.Proofs?.Prepared(request.Partition, prepare);

        // R2: ceilings and what neighbours believe may lead a little; no clock that is further off is ever believed.
        var options = cluster.Shape.Options;
        var lead = (prepare.Timestamp >> HybridClock.LogicalBits) - SimulatedCluster.Epoch - cluster.Loop.Now;
        if (lead > cluster.Shape.SkewMax + options.MaxClockSkewMicroseconds + (2 * options.CeilingAheadMicroseconds))
            throw new SimulationFailedException(
                "skew", $"{prepare.Id} is logged with a timestamp that leads by {lead} µs");

        // V7: its commit record is in the same batch.
        if (prepare.Parts.Length != 1 || prepare.Writes.Count == 0 || cluster.Outside.Expects(prepare.Id)) return;
        if (!records.Any(r => r.Kind == LogRecordKind.Commit && r.Transaction == prepare.Id))
            throw new SimulationFailedException(
                "second-phase",
                $"{prepare.Id} has one participant, and its prepare is logged without its commit record");
    }
}
