using Polyjuice.Wire;

namespace Polyjuice.Storage;

/// <summary>
/// The order of participants in a checkpoint: by grain, state and class, each
/// as .NET compares strings by ordinals. It is part of the storage format.
/// </summary>
internal static class KeyOrder
{
    private const int Parts = 3;

    // In UTF-8, characters from here on begin with a byte from here on.
    private const byte PrivateUse = 0xEE;
    private const byte Supplementary = 0xF0;

    /// <summary>Compares two keys as <see cref="LogRecords.WriteKey"/> wrote them.</summary>
    public static int Compare(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
    {
        var l = new ByteReader(left);
        var r = new ByteReader(right);
        for (var part = 0; part < Parts; part++)
        {
            var order = CompareText(l.Bytes(), r.Bytes());
            if (order != 0) return order;
        }

        return 0;
    }

    /// <summary>Compares text in UTF-8 as its UTF-16 code units compare.</summary>
    public static int CompareText(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
    {
        var common = left.CommonPrefixLength(right);
        if (common == left.Length || common == right.Length) return left.Length - right.Length;
        var (l, r) = (left[common], right[common]);

        // The two encodings order all characters alike, but for one thing: surrogates, which the supplementary
        // characters are made of, are below U+E000.
        return l >= PrivateUse && r >= PrivateUse && l >= Supplementary != r >= Supplementary ? r - l : l - r;
    }

    /// <summary>Takes a key off a record.</summary>
    public static ReadOnlySpan<byte> Read(scoped ref ByteReader reader, ReadOnlySpan<byte> record)
    {
        var start = record.Length - reader.Left;
        for (var part = 0; part < Parts; part++) reader.Bytes();
        return record[start..^reader.Left];
    }
}
