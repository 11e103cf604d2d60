using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.Tracing;
using Polyjuice.Storage;

namespace Polyjuice.Simulation.Storage;

/// <summary>
/// Looks at what is written into rows, as <see cref="ProtocolMonitor"/>
/// does at logs; and at what only rows have: their sequence numbers.
/// </summary>
internal sealed class RowMonitor(SimulatedCluster cluster, Func<int, RowTap> tapOf)
{
    /// <summary>A row has been changed. Returns the kinds of records that are new in it, a bit for each.</summary>
    public ulong Written(RowRequest request, RowContent<Account> before, RowContent<Account> after)
    {
        var tap = tapOf(request.Row);
        var records = tap.Read(before, after);
        cluster.TraceLine(
            () =>
                $"row {request.Row} by {request.Process.Id}, version {after.ETag}, commit up to {request.CommitUpTo}, "
                + $"abort after {request.AbortAfter}: {string.Join(", ", records.Select(r => r.Record))}");
        if (cluster.Protocol is { } protocol)
        {
            var image = tap.Image(after);
            var position = tap.PositionOf(after);
            protocol.Written(new RowWritten(
                tap.Partition, tap.Key, request.Process.Id, position, RecordReader.ReadRow(tap.Image(before), tap.Key),
                image.Ceiling, RecordReader.Read(records, image)));
        }

        var kinds = 0UL;
        foreach (var (record, prepare) in records)
        {
            kinds |= 1UL << (int)record.Kind;
            cluster.Proofs?.Written(tap.Partition, record);
            if (prepare is not null) CheckPrepare(tap, prepare, after);
        }

        CheckSequence(request, after);
        CheckReplaced(tap, request, before, after);
        return kinds;
    }

    private void CheckPrepare(RowTap tap, RecoveredPrepare prepare, RowContent<Account> after)
    {
        cluster.Proofs?.Prepared(tap.Partition, prepare.Id, prepare.Round);

        // V7: what has no other participant is stored with its commit record.
        if (prepare.Parts.Length == 1 && prepare.Writes.Count > 0 && !cluster.Outside.Expects(prepare.Id)
            && !tap.Image(after).Commits.Contains(prepare.Id))
            throw new SimulationFailedException(
                "second-phase",
                $"{prepare.Id} has one participant, and its prepare is stored without its commit record");
    }

    /// <summary>Had only the first step of the store been done, a state would be gone that committed.</summary>
    private static void CheckReplaced(
        RowTap tap, RowRequest request, RowContent<Account> before, RowContent<Account> after)
    {
        foreach (var prepared in request.Prepare)
        {
            var replaced = tap.Entries(before).FirstOrDefault(entry => entry.SequenceId == prepared.SequenceId);
            if (replaced == default || RowFormat.IdOf(Guid.Parse(prepared.TransactionId)) == replaced.Id
                || tap.Image(after).OutcomeOf(replaced.Id) != true)
                continue;
            throw new SimulationFailedException(
                "replaced",
                $"row {request.Row} replaces state {replaced.SequenceId} of {replaced.Id}, which committed, in the "
                + "same store that says so");
        }
    }

    private static void CheckSequence(RowRequest request, RowContent<Account> after)
    {
        var expected = after.CommittedSequenceId;
        foreach (var pending in after.PendingStates)
        {
            if (pending.SequenceId != ++expected)
                throw new SimulationFailedException(
                    "sequence",
                    $"row {request.Row} has prepared states "
                    + $"{string.Join(' ', after.PendingStates.Select(p => p.SequenceId))} on top of "
                    + $"{after.CommittedSequenceId}: there is a gap");
        }

        if (request.AbortAfter is { } last && request.Prepare.Any(pending => pending.SequenceId > last))
            throw new SimulationFailedException(
                "sequence", $"row {request.Row} prepares a state above {last}, after which it aborts");
    }
}
