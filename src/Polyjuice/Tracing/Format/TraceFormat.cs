namespace Polyjuice.Tracing;

/// <summary>The trace file format, versions 1 to 3: docs/reference/traces.md says it byte by byte.</summary>
internal static class TraceFormat
{
    /// <summary>What every file begins with; the version follows as one byte.</summary>
    public static ReadOnlySpan<byte> Magic => "PJTRACE"u8;

    /// <summary>The newest that is read; written for what has states.</summary>
    public const byte Version = 3;

    /// <summary>Written for what has calls and no states.</summary>
    public const byte VersionWithCalls = 2;

    /// <summary>Written for what has no calls.</summary>
    public const byte VersionWithoutCalls = 1;

    public const string Extension = TraceFileInfo.Extension;

    public const int FileHeaderBytes = 8;

    /// <summary>Kind, encoding, two bytes of 0, lengths as written and as meant, checksum.</summary>
    public const int BlockHeaderBytes = 16;

    /// <summary>No block is larger, written or meant: a damaged length must not ask for all memory.</summary>
    public const int BlockBytesMax = 64 << 20;

    /// <summary>Bytes of a hashed key.</summary>
    public const int HashBytes = 16;
}

/// <summary>What a block holds. Numbers never change meaning.</summary>
internal enum TraceBlockKind : byte
{
    /// <summary>Who has recorded, and how. The first of every file that a silo writes.</summary>
    Recording = 1,

    /// <summary>Names, accesses and attempts of a time.</summary>
    Chunk = 2,

    /// <summary>The recording ended in good order.</summary>
    End = 3,

    /// <summary>The names of a merged trace. The first of such a file.</summary>
    MergedNames = 4,

    /// <summary>Transactions of a merged trace, with their accesses.</summary>
    MergedTransactions = 5,

    /// <summary>States of a merged trace.</summary>
    MergedStates = 6,
}

/// <summary>How a block's bytes are written.</summary>
internal enum TraceEncoding : byte
{
    /// <summary>As they are.</summary>
    Plain = 0,

    /// <summary>Brotli (RFC 7932), without a frame of its own.</summary>
    Brotli = 1,
}
