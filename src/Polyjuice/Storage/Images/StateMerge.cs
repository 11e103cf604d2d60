using System.Buffers.Binary;
using Polyjuice.Wire;

namespace Polyjuice.Storage;

/// <summary>
/// Puts the states of an older checkpoint and those that came after it into one sorted sequence. What has not changed
/// is copied as bytes: neither is it decoded, nor is more of it in memory than one piece.
/// </summary>
/// <param name="newer">What came after it.</param>
internal sealed class StateMerge(StateTable newer)
{
    private const int LengthBytes = 4;
    private readonly int[] _newer = newer.Sorted();
    private int _next;

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

            var order = _next < _newer.Length ? CompareNextTo(record) : 1;
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
        while (_next < _newer.Length)
        {
            if (LogImage.IsFull(output)) return true;
            WriteNext(output);
        }

        return false;
    }

    private void WriteNext(ByteWriter output) => newer.Write(_newer[_next++], output);

    private int CompareNextTo(ReadOnlySpan<byte> record) => KeyOrder.Compare(newer.KeyOf(_newer[_next]), record[1..]);
}
