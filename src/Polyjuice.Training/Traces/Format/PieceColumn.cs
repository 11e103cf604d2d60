using Polyjuice.Tracing;
using Polyjuice.Wire;

namespace Polyjuice.Training.Traces;

/// <summary>
/// A column of bytes that others have encoded: the lengths of those that are there, then all of their bytes.
/// </summary>
internal static class PieceColumn
{
    /// <summary>Reads it.</summary>
    /// <param name="input">From where.</param>
    /// <param name="count">How many records there are.</param>
    /// <param name="isThere">Whether a record has bytes; the others have none.</param>
    /// <param name="what">What has so many bytes, with its verb, for messages.</param>
    /// <returns>The bytes of each record, all in one array.</returns>
    /// <exception cref="CodingException">It is not what was written.</exception>
    public static ReadOnlyMemory<byte>[] Read(ref ByteReader input, int count, Func<int, bool> isThere, string what)
    {
        var lengths = new int[count];
        var sum = 0L;
        for (var i = 0; i < count; i++)
        {
            if (!isThere(i)) continue;
            var length = input.UInt();
            if (length > TraceFormat.BlockBytesMax) throw new CodingException($"{what} {length} bytes.");
            sum += lengths[i] = (int)length;
        }

        if (sum > input.Left) throw new CodingException("The bytes end in the middle of a value.");
        ReadOnlyMemory<byte> all = input.Raw((int)sum).ToArray();
        var pieces = new ReadOnlyMemory<byte>[count];
        for (var i = 0; i < count; i++)
        {
            pieces[i] = all[..lengths[i]];
            all = all[lengths[i]..];
        }

        return pieces;
    }
}
