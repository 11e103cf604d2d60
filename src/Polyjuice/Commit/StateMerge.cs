using System.Buffers.Binary;
using System.Text;
using Polyjuice.Execution;
using Polyjuice.Hosting;

namespace Polyjuice.Commit;

/// <summary>
/// Puts the states of an older checkpoint and those that came after it into one sorted sequence. What has not changed is copied as bytes: neither is it decoded, nor is more of it in memory than one piece.
/// </summary>
/// <param name="keys">Participants with a newer state, in a checkpoint's order.</param>
/// <param name="newer">Their states.</param>
internal sealed class StateMerge(ParticipantKey[] keys, IReadOnlyDictionary<ParticipantKey, CommittedState> newer)
{
    private const int LengthBytes = 4;
    private int _next;
    private char[] _text = new char[256];

    /// <summary>Goes on with an older checkpoint's piece until that is done, or the output is full.</summary>
    /// <param name="piece">The piece.</param>
    /// <param name="at">How far it has been copied; 0 at first.</param>
    /// <param name="output">Where to.</param>
    /// <returns>Whether the output is full: take it, and call again with the same piece.</returns>
    public bool Copy(ReadOnlySpan<byte> piece, ref int at, ByteWriter output)
    {
        if (at == 0)
        {
            var start = new ByteReader(piece);
            LogRecords.ReadVersion(ref start);
            at = 1;
        }

        while (at < piece.Length)
        {
            if (LogImage.IsFull(output)) return true;
            var record = piece.Slice(at + LengthBytes, BinaryPrimitives.ReadInt32LittleEndian(piece[at..]));
            if ((LogRecordKind)record[0] != LogRecordKind.State)
            {
                at += LengthBytes + record.Length;
                continue;
            }

            var order = _next < keys.Length ? CompareNextTo(record) : 1;
            if (order <= 0) WriteNext(output);
            else LogRecords.WriteRecord(output, record);
            if (order >= 0) at += LengthBytes + record.Length;
        }

        return false;
    }

    /// <summary>Goes on behind the older checkpoint's last state.</summary>
    /// <returns>Whether the output is full: take it, and call again.</returns>
    public bool CopyRest(ByteWriter output)
    {
        while (_next < keys.Length)
        {
            if (LogImage.IsFull(output)) return true;
            WriteNext(output);
        }

        return false;
    }

    private void WriteNext(ByteWriter output)
    {
        var key = keys[_next++];
        LogRecords.WriteState(output, key, newer[key]);
    }

    private int CompareNextTo(ReadOnlySpan<byte> record)
    {
        var reader = new ByteReader(record[1..]);
        var order = Compare(keys[_next].Grain, reader.Bytes());
        if (order == 0) order = Compare(keys[_next].State, reader.Bytes());
        return order != 0 ? order : Compare(keys[_next].GrainClass, reader.Bytes());
    }

    // By characters, as the order of a checkpoint is: that of the bytes is another one outside of the basic plane.
    private int Compare(string left, ReadOnlySpan<byte> right)
    {
        if (_text.Length < right.Length) _text = new char[right.Length * 2];
        var count = Encoding.UTF8.GetChars(right, _text);
        return left.AsSpan().SequenceCompareTo(_text.AsSpan(0, count));
    }
}
