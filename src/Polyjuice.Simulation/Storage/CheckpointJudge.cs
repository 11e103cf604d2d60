using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Runs;
using Polyjuice.Storage;

namespace Polyjuice.Simulation.Storage;

/// <summary>
/// Every checkpoint that was ever made, by whomever, is what follows from the whole log below its position, although it
/// was made from an earlier one and the batches behind it; and so is what a recovery would read at the end. And behind
/// a fence there is nothing of an earlier owner.
/// </summary>
internal sealed class CheckpointJudge(SimulatedDevice device, Func<int, LogIdentity> identityOf)
{
    public void Judge(int partitions)
    {
        for (var partition = 0; partition < partitions; partition++)
        {
            var identity = identityOf(partition);
            var batches = Batches(identity);
            var highest = 0L;
            byte[]? last = null;
            foreach (var (name, bytes) in device.Puts)
            {
                if (!name.StartsWith(identity.Prefix, StringComparison.Ordinal)
                    || !LogIdentity.TryParse(name, LogIdentity.CheckpointSuffix, out var position))
                    continue;
                if (position > batches.Count)
                    throw Wrong(
                        partition, $"there is a checkpoint of {position} batches, and the log has {batches.Count}");
                var content = Content(name, bytes, identity, position);
                var whole = Fold(batches, (int)position, null, 0);
                if (!content.AsSpan().SequenceEqual(whole))
                    throw Wrong(
                        partition,
                        $"the checkpoint at {position} is not what follows from the {position} batches below it");
                if (position <= highest) continue;
                highest = position;
                last = bytes;
            }

            if (last is null) continue;
            var recovered = Fold(batches, batches.Count, Pieces(last, identity, highest), (int)highest);
            if (!recovered.AsSpan().SequenceEqual(Fold(batches, batches.Count, null, 0)))
                throw Wrong(
                    partition,
                    $"the checkpoint at {highest} and the batches behind it say something else than all "
                    + $"{batches.Count} batches");
        }
    }

    private static SimulationFailedException Wrong(int partition, string what) =>
        new("checkpoint", $"partition {partition}: {what}");

    private static byte[] Fold(List<byte[]> batches, int to, List<byte[]>? checkpoint, int from)
    {
        var image = new LogImage();
        foreach (var piece in checkpoint ?? []) image.Add(piece);
        for (var i = from; i < to; i++) image.Add(batches[i]);
        var bytes = new List<byte>();
        foreach (var piece in image.Write()) bytes.AddRange(piece.Span);
        return [.. bytes];
    }

    /// <summary>The whole log, from all segments that ever were.</summary>
    private List<byte[]> Batches(LogIdentity identity)
    {
        var batches = new List<byte[]>();
        var segments = device.Everything.Where(
            t => t.Key.StartsWith(identity.Prefix, StringComparison.Ordinal)
                && t.Key.EndsWith(LogIdentity.SegmentSuffix, StringComparison.Ordinal));
        var partOf = default(BatchId?);
        var fences = new FenceMonitor();
        var parts = new List<byte>();
        foreach (var (name, bytes) in segments.OrderBy(t => t.Key, StringComparer.Ordinal))
        {
            var end = bytes.AsSpan().LastIndexOfAnyExcept((byte)0);
            for (var at = SegmentFormat.HeaderLength; at <= end && at + SegmentFormat.Overhead <= bytes.Length;)
            {
                if (SegmentFormat.ReadFrameHeader(
                    bytes.AsSpan(at), identity.Seed, out var length, out var position, out var id,
                    out var flags) is { } wrong)
                    throw Wrong(identity.Partition, $"{name} at {at}: {wrong}");
                if (position != batches.Count)
                    throw Wrong(
                        identity.Partition,
                        $"{name} at {at}: batch {position} is where batch {batches.Count} should be");
                if (partOf != id) parts.Clear();
                parts.AddRange(bytes.AsSpan(at + SegmentFormat.FrameHeaderLength, length));
                partOf = id;
                at += SegmentFormat.Overhead + length;
                if (flags.HasFlag(FrameFlags.Continues)) continue;
                batches.Add([.. parts]);
                fences.Written(identity.Partition, id, batches[^1]);
                partOf = null;
            }
        }

        return batches;
    }

    private static byte[] Content(string name, byte[] bytes, LogIdentity identity, long position)
    {
        if (name != identity.Checkpoint(position)) throw Wrong(identity.Partition, $"{name} is no checkpoint's name");
        return [.. Pieces(bytes, identity, position).SelectMany(piece => piece)];
    }

    private static List<byte[]> Pieces(byte[] bytes, LogIdentity identity, long position)
    {
        // All of it is in memory, so nothing here ever waits.
        var pieces = new List<byte[]>();
        var reader = CheckpointFormat.ReadAsync(new OneObject(bytes), identity, position).GetAsyncEnumerator();
        while (reader.MoveNextAsync().GetAwaiter().GetResult()) pieces.Add(reader.Current.ToArray());
        return pieces;
    }

    private sealed class OneObject(byte[] bytes) : ILogDevice
    {
        public string Location => "kept";

        public bool MayTear => false;

        public int AppendBytesMax => 0;

        public int AppendsPerSegmentMax => 0;

        public ValueTask<int> ReadAsync(
            string name, long offset, Memory<byte> buffer, CancellationToken cancellationToken)
        {
            var rest = bytes.AsSpan((int)offset);
            rest = rest[..Math.Min(rest.Length, buffer.Length)];
            rest.CopyTo(buffer.Span);
            return new(rest.Length);
        }

        public ValueTask<ILogDeviceLock> LockAsync(string holder, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public ValueTask<IReadOnlyList<LogDeviceEntry>> ListAsync(string prefix, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public ValueTask CreateAsync(string segment, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public ValueTask<DeviceAppendResult> AppendAsync(
            string segment, long offset, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public ValueTask<long> GetLengthAsync(string name, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public ValueTask TruncateAsync(string segment, long length, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public ValueTask<bool> PutAsync(
            string name, IAsyncEnumerable<ReadOnlyMemory<byte>> content, bool overwrite,
            CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public ValueTask DeleteAsync(string name, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
