using Polyjuice.Tracing;
using Polyjuice.Wire;

namespace Polyjuice.Training.Traces;

/// <summary>Reads a file that a silo has recorded.</summary>
internal static class RecordedFile
{
    /// <summary>Reads what follows the first block, which is given.</summary>
    /// <exception cref="TraceFormatException">
    /// It holds what no version of this format does, or does not go together with what was read before.
    /// </exception>
    public static TraceFileReport Read(TraceBlockReader blocks, ReadOnlySpan<byte> recording, RecordedTrace recorded)
    {
        try
        {
            var header = RecordedHeader.Read(recording, blocks.HasCalls);
            recorded.SetGrid(header.Grid, blocks.Name);
            recorded.SetHashed(header.IsHashed, blocks.Name);
            if (header.ArgumentEncoding is { } encoding) recorded.SetArgumentEncoding(encoding, blocks.Name);
            var silo = recorded.Names.Silo(header.Node, header.Name);
            var decoder = new ChunkDecoder(
                recorded.Names, header.Node, silo, header.IsHashed, blocks.HasCalls, blocks.HasStates);
            var hasEnded = false;
            while (blocks.TryRead(out var kind, out var content))
            {
                if (hasEnded) throw new CodingException("Something follows the end.");
                if (kind == TraceBlockKind.Chunk) decoder.Read(content, recorded);
                else if (kind == TraceBlockKind.End) hasEnded = ReadEnd(content, silo, recorded);
                else throw new CodingException($"A block of kind {(int)kind} is not expected there.");
            }

            return new TraceFileReport(blocks.Name, hasEnded, blocks.Offset, blocks.Torn);
        }
        catch (CodingException exception)
        {
            throw new TraceFormatException($"{blocks.Name} at offset {blocks.Offset}: {exception.Message}", exception);
        }
    }

    private static bool ReadEnd(ReadOnlySpan<byte> content, int silo, RecordedTrace recorded)
    {
        var input = new ByteReader(content);
        var until = input.Int();
        recorded.End(silo, until, (long)input.UInt(), (long)input.UInt());
        return true;
    }
}
