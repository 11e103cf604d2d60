using Polyjuice.Wire;

namespace Polyjuice.Training.Traces;

/// <summary>What a file that a silo has recorded says of itself at its start.</summary>
/// <param name="Node">Who has recorded it.</param>
/// <param name="Name">The same, for people.</param>
/// <param name="StartMicroseconds">Since when, in microseconds since the Unix epoch.</param>
/// <param name="Grid">How far apart the starts of its windows are, and how long they are, in microseconds.</param>
/// <param name="IsHashed">Whether keys are hashed.</param>
/// <param name="ArgumentEncoding">
/// How arguments of calls are encoded; <see langword="null"/> if it has no calls.
/// </param>
internal readonly record struct RecordedHeader(
    long Node, string Name, long StartMicroseconds, (long Period, long Length) Grid, bool IsHashed,
    string? ArgumentEncoding)
{
    /// <summary>Reads the content of a file's first block.</summary>
    /// <param name="recording">The content.</param>
    /// <param name="hasCalls">Whether the file is of the version that has calls.</param>
    /// <exception cref="CodingException">It is damaged.</exception>
    public static RecordedHeader Read(ReadOnlySpan<byte> recording, bool hasCalls)
    {
        var input = new ByteReader(recording);
        return new RecordedHeader(
            input.Int(),
            input.String(),
            input.Int(),
            ((long)input.UInt(), (long)input.UInt()),
            input.Byte() != 0,
            hasCalls ? input.String() : null);
    }
}
