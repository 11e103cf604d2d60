using System.Runtime.CompilerServices;
using Polyjuice.Wire;

namespace Polyjuice.Storage;

/// <summary>A batch as found in a segment, or a piece of a checkpoint.</summary>
/// <param name="File">The segment's or checkpoint's name.</param>
/// <param name="Offset">Where in it, in bytes; for a piece of a checkpoint 0.</param>
/// <param name="Position">The batch's position; the checkpoint's for a piece.</param>
/// <param name="Id">The batch's identity.</param>
/// <param name="Bytes">What it holds; valid until the next is asked for.</param>
internal readonly record struct InspectedBatch(
    string File, long Offset, long Position, BatchId Id, ReadOnlyMemory<byte> Bytes);

/// <summary>
/// Looks at logs without changing or locking anything, past damage too.
/// The logs may be in use meanwhile; then their ends are a moment's.
/// </summary>
internal sealed class LogInspector
{
    private readonly ILogDevice _device;
    private readonly StoreManifest _manifest;

    private LogInspector(ILogDevice device, StoreManifest manifest)
    {
        _device = device;
        _manifest = manifest;
    }

    public int PartitionCount => _manifest.Partitions;

    public static Task<LogInspector> OpenFilesAsync(string directory, CancellationToken cancellationToken) =>
        OpenAsync(new FileLogDevice(directory, flush: false, isReadOnly: true), cancellationToken);

    public static async Task<LogInspector> OpenAsync(ILogDevice device, CancellationToken cancellationToken) =>
        new(device, await StoreManifest.ReadAsync(device, cancellationToken)
            ?? throw new FileNotFoundException(
                $"There are no logs in {device.Location}: {StoreManifest.Name} is missing."));

    /// <summary>Reads everything of a partition, and reports what is there and what is wrong.</summary>
    public async Task<LogReport> VerifyAsync(int partition, CancellationToken cancellationToken)
    {
        var report = new LogReport { Partition = partition };
        var isFirst = true;
        await foreach (var batch in ReadAsync(partition, report, cancellationToken))
        {
            if (isFirst) report.First = batch.Position;
            isFirst = false;
            report.End = batch.Position + 1;
            report.Records += Decode(batch, report);
        }

        await foreach (var piece in ReadCheckpointAsync(partition, report, cancellationToken))
            report.CheckpointRecords += Decode(piece, report);
        if (report.Checkpoint is { } checkpoint
            && (isFirst ? checkpoint > 0 : checkpoint < report.First || checkpoint > report.End) && report.IsSound)
            report.Problems.Add(
                new LogProblem(
                    Path(IdentityOf(partition).Checkpoint(checkpoint)),
                    0,
                    $"it stands for {checkpoint} batches, and the log has batches {report.First} to {report.End - 1}",
                    false));
        return report;
    }

    /// <summary>
    /// The batches of a partition's segments, with what is wrong entered into a report instead of thrown.
    /// </summary>
    public async IAsyncEnumerable<InspectedBatch> ReadAsync(
        int partition, LogReport report, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var identity = IdentityOf(partition);
        var (shape, missing) = await LogShape.ReadAsync(_device, identity, cancellationToken);
        if (missing is not null)
            report.Problems.Add(new LogProblem(Path(missing.Name), missing.Offset, missing.What, false));
        LogEnd? before = null;
        for (var i = 0; i < shape.Segments.Count; i++)
        {
            var (first, length) = shape.Segments[i];
            var name = identity.Segment(first);
            var isLast = i == shape.Segments.Count - 1;
            report.Segments++;

            // Below a checkpoint there may be gaps: where trimming was
            // interrupted, or a deposed owner has made a trimmed segment anew.
            if (before is { } known && (known.Position != first || !known.IsSealed)
                && first > (shape.Checkpoint?.Position ?? 0))
            {
                var how = known.IsSealed ? "has ended" : "breaks off";
                report.Problems.Add(
                    new LogProblem(Path(name), 0, $"the segment before it {how} before batch {known.Position}", false));
            }

            var segment = new SegmentInspection(
                _device, identity, first, length, isLast, isLast ? shape.AnsweredOf(name) : 0, report);
            await foreach (var batch in segment.ReadAsync(cancellationToken)) yield return batch;
            before = segment.End;
        }
    }

    /// <summary>The pieces of a partition's highest checkpoint, if there is one.</summary>
    public async IAsyncEnumerable<InspectedBatch> ReadCheckpointAsync(
        int partition, LogReport report, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var identity = IdentityOf(partition);
        var entries = await _device.ListAsync(identity.Prefix, cancellationToken);
        if (LogShape.HighestCheckpoint(entries) is not var (highest, bytes)) yield break;
        (report.Checkpoint, report.CheckpointBytes) = (highest, bytes);
        await using var pieces = CheckpointFormat.ReadAsync(_device, identity, highest, cancellationToken)
            .GetAsyncEnumerator(cancellationToken);
        while (true)
        {
            try
            {
                if (!await pieces.MoveNextAsync()) yield break;
            }
            catch (LogDamagedException exception)
            {
                report.Problems.Add(new LogProblem(Path(exception.Name), exception.Offset, exception.What, false));
                yield break;
            }

            yield return new InspectedBatch(identity.Checkpoint(highest), 0, highest, default, pieces.Current);
        }
    }

    private int Decode(in InspectedBatch batch, LogReport report)
    {
        try
        {
            return LogRecordText.Read(batch.Bytes.Span).Count;
        }
        catch (Exception exception) when (exception is CodingException or LogVersionException)
        {
            report.Problems.Add(
                new LogProblem(Path(batch.File), batch.Offset, $"batch {batch.Position}: {exception.Message}", false));
            return 0;
        }
    }

    private LogIdentity IdentityOf(int partition) => new(_manifest.Store, partition, _manifest.Partitions);

    private string Path(string name) => $"{_device.Location}/{name}";
}
