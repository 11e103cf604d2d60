using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>
/// Collects messages per destination until the flush, so that what one turn of the loop says to a node is one batch. A
/// batch starts with the sender's clock (R2) and its oldest live transaction (R1c).
/// </summary>
internal sealed class Outbox(NodeId self, IEngineHost host, EngineStatistics statistics, PartitionNames names)
{
    /// <summary>Of the wire format.</summary>
    public const byte Version = 4;

    private readonly Dictionary<NodeId, Pending> _pending = [];
    private readonly List<Pending> _dirty = [];
    private readonly ByteWriter _batch = new();

    public bool IsEmpty => _dirty.Count == 0;

    public void Add(NodeId destination, in Message message)
    {
        if (!_pending.TryGetValue(destination, out var pending))
            _pending.Add(destination, pending = new Pending(destination, names));
        if (pending.Count++ == 0) _dirty.Add(pending);
        message.Write(pending.Body);
        statistics.MessagesSent++;
    }

    public void Flush(long clock, long oldestLive)
    {
        foreach (var pending in _dirty)
        {
            _batch.Clear();
            _batch.Byte(Version);
            _batch.Int(self.Value);
            _batch.Int(clock);
            _batch.Int(oldestLive);
            _batch.UInt((ulong)pending.Count);
            pending.Body.Written.CopyTo(_batch.GetSpan(pending.Body.Length));
            _batch.Advance(pending.Body.Length);
            pending.Body.Clear();
            pending.Count = 0;
            statistics.MessageBatchesSent++;
            statistics.MessageBytesSent += _batch.Length;
            host.Send(pending.Destination, _batch.Written);
        }

        _dirty.Clear();
    }

    public void Forget(NodeId node)
    {
        if (_pending.Remove(node, out var pending)) _dirty.Remove(pending);
    }

    /// <summary>Reads a batch's header; the messages follow.</summary>
    public static (NodeId From, long Clock, long OldestLive, int Count) ReadHeader(ref ByteReader reader)
    {
        var version = reader.Byte();
        if (version != Version)
            throw new CodingException(
                $"Engine messages of version {version} are not understood; this engine speaks version {Version}.");
        return (new NodeId(reader.Int()), reader.Int(), reader.Int(), reader.Count());
    }

    private sealed class Pending(NodeId destination, PartitionNames names)
    {
        public readonly NodeId Destination = destination;
        public readonly ByteWriter Body = new(names);
        public int Count;
    }
}
