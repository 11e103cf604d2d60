using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Concurrent;
using Polyjuice.Hosting;

namespace Polyjuice.Embedded.Core;

/// <summary>
/// Messages from one node to another, one after the other, each behind its length. Filled by the sender's thread, then read by
/// the receiver's; never by both.
/// </summary>
internal sealed class MessageBuffer : IBufferWriter<byte>
{
    private const int LengthBytes = sizeof(int);

    /// <summary>Buffers kept for reuse, and how large a kept one may be.</summary>
    private const int PooledMax = 256, PooledBytesMax = 1 << 18;

    private static readonly ConcurrentQueue<MessageBuffer> s_pool = new();

    private byte[] _bytes = new byte[1024];
    private int _count;

    /// <summary>Who filled it.</summary>
    public NodeId Source { get; private set; }

    /// <summary>Who shall read it.</summary>
    public Node Destination { get; private set; } = null!;

    /// <summary>When it arrives, on the clock; 0 for at once.</summary>
    public long Due { get; set; }

    /// <summary>What has been written.</summary>
    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _count);

    /// <summary>How much has been written, in bytes.</summary>
    public int Count => _count;

    /// <summary>How many messages were completed.</summary>
    public int Messages { get; private set; }

    public static MessageBuffer Rent(NodeId source, Node destination)
    {
        if (!s_pool.TryDequeue(out var buffer)) buffer = new();
        buffer.Source = source;
        buffer.Destination = destination;
        return buffer;
    }

    /// <summary>Gives the buffer back; nothing read from it may be used any more.</summary>
    public void Return()
    {
        _count = 0;
        Messages = 0;
        Due = 0;
        Destination = null!;
        if (_bytes.Length <= PooledBytesMax && s_pool.Count < PooledMax) s_pool.Enqueue(this);
    }

    /// <summary>Starts a message.</summary>
    /// <returns>Its mark, for <see cref="EndMessage"/> or <see cref="Undo"/>.</returns>
    public int BeginMessage()
    {
        var mark = _count;
        GetSpan(LengthBytes);
        _count += LengthBytes;
        return mark;
    }

    /// <summary>Ends the message, whose length is known now.</summary>
    public void EndMessage(int mark)
    {
        BinaryPrimitives.WriteInt32LittleEndian(_bytes.AsSpan(mark), _count - mark - LengthBytes);
        Messages++;
    }

    /// <summary>Takes back what was written since the mark, because it can't be completed.</summary>
    public void Undo(int mark) => _count = mark;

    /// <summary>The message that starts at <paramref name="position"/>, which moves on to the next.</summary>
    public ReadOnlySpan<byte> ReadMessage(scoped ref int position)
    {
        var length = BinaryPrimitives.ReadInt32LittleEndian(_bytes.AsSpan(position));
        var message = _bytes.AsSpan(position + LengthBytes, length);
        position += LengthBytes + length;
        return message;
    }

    /// <summary>The bytes of one completed message.</summary>
    public ReadOnlySpan<byte> MessageAt(int mark) => ReadMessage(ref mark);

    /// <inheritdoc/>
    public void Advance(int count) => _count += count;

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _bytes.AsMemory(_count);
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _bytes.AsSpan(_count);
    }

    private void Reserve(int sizeHint)
    {
        var needed = _count + Math.Max(sizeHint, 1);
        if (needed > _bytes.Length) Array.Resize(ref _bytes, Math.Max(needed, _bytes.Length * 2));
    }
}
