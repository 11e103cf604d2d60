using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Tests.Traces;

/// <summary>Traces as files in memory.</summary>
internal static class TraceBytes
{
    /// <summary>A merged trace as its file.</summary>
    public static byte[] Write(AccessTrace trace)
    {
        var stream = new MemoryStream();
        TraceFile.WriteAsync(trace, stream).GetAwaiter().GetResult();
        return stream.ToArray();
    }

    /// <summary>What files say, which are named file0, file1 and so on.</summary>
    public static TraceReading Read(params byte[][] files) =>
        TraceFile.Read([.. files.Select((file, i) => ($"file{i}", (Func<Stream>)(() => new MemoryStream(file))))]);

    /// <summary>Whether a file is read, or refused by its name.</summary>
    public static bool IsReadOrRefused(byte[] file)
    {
        var exception = Record.Exception(() => Read(file));
        return exception is null
            || (exception is TraceFormatException && exception.Message.Contains("file0", StringComparison.Ordinal));
    }
}
