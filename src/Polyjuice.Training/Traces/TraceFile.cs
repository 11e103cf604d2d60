using Polyjuice.Tracing;
using Polyjuice.Training.Files;

namespace Polyjuice.Training.Traces;

/// <summary>Reads and writes traces; docs/reference/traces.md says the format. Thread-safe.</summary>
internal static class TraceFile
{
    /// <summary>What names of traces end with.</summary>
    public const string Extension = TraceFormat.Extension;

    /// <summary>
    /// Reads files and folders of files, and makes one trace of all: what silos have recorded is merged, by the numbers
    /// of attempts. A file's torn end is cut, and reported. One that was merged before is read by itself.
    /// </summary>
    /// <param name="paths">Files, or folders whose files with the <see cref="Extension"/> are taken.</param>
    /// <param name="cancellationToken">Gives up between two files.</param>
    /// <exception cref="TraceFormatException">
    /// A file is no trace, of a newer version, damaged in its middle, or does not go together with the others.
    /// </exception>
    /// <exception cref="IOException">A file can't be read, or there is none.</exception>
    public static TraceReading Read(IReadOnlyCollection<string> paths, CancellationToken cancellationToken = default)
    {
        var files = Find(paths);
        return Read([.. files.Select(file => (file, (Func<Stream>)(() => Open(file))))], cancellationToken);

        static FileStream Open(string file) => new(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, 1 << 16);
    }

    /// <summary>The same of what was recorded into this process's memory.</summary>
    /// <param name="sink">What has recorded it.</param>
    /// <param name="cancellationToken">Gives up between two files.</param>
    /// <exception cref="TraceFormatException">As above.</exception>
    public static TraceReading Read(MemoryTraceSink sink, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(sink);
        return Read(
            [.. sink.Files.Select(file => (file.Name, (Func<Stream>)(() => new MemoryStream(file.Content))))],
            cancellationToken);
    }

    /// <summary>The same of files that are somewhere else, such as in blobs.</summary>
    /// <param name="files">Their names, for messages, and how they are opened.</param>
    /// <param name="cancellationToken">Gives up between two files.</param>
    /// <exception cref="TraceFormatException">As above.</exception>
    public static TraceReading Read(
        IReadOnlyList<(string Name, Func<Stream> Open)> files, CancellationToken cancellationToken = default)
    {
        var recorded = new RecordedTrace();
        var reports = new List<TraceFileReport>();
        foreach (var (name, open) in files)
        {
            cancellationToken.ThrowIfCancellationRequested();
            using var stream = open();
            var blocks = new TraceBlockReader(stream, name);
            if (!blocks.TryRead(out var kind, out var content))
            {
                // Whoever wrote it died before it had written anything.
                reports.Add(
                    new TraceFileReport(
                        name, false, blocks.Offset, blocks.Torn ?? "it ends before it says who has recorded it"));
                continue;
            }

            switch (kind)
            {
                case TraceBlockKind.Recording:
                    reports.Add(RecordedFile.Read(blocks, content.ToArray(), recorded));
                    break;
                case TraceBlockKind.MergedNames when files.Count == 1:
                    var (trace, report) = MergedTraceReader.Read(blocks, content.ToArray());
                    return new TraceReading(trace, [report], trace.Transactions.Length);
                case TraceBlockKind.MergedNames:
                    throw new TraceFormatException(
                        $"{name} is a merged trace, and those are read one at a time: merge the files that silos have "
                        + "recorded instead.");
                default:
                    throw new TraceFormatException(
                        $"{name} begins with a block of kind {(int)kind}, which no trace of this format does.");
            }
        }

        return new TraceReading(TraceMerger.Merge(recorded), reports, recorded.Attempts);
    }

    /// <summary>Writes a trace into one file, in place of what was there only once it is whole.</summary>
    /// <exception cref="IOException">It can't be written; then nothing has changed.</exception>
    internal static Task WriteAsync(AccessTrace trace, string path, CancellationToken cancellationToken = default) =>
        WholeFile.WriteAsync(path, stream => WriteAsync(trace, stream, cancellationToken));

    /// <summary>Writes a trace into a stream.</summary>
    internal static Task WriteAsync(AccessTrace trace, Stream stream, CancellationToken cancellationToken = default) =>
        MergedTraceWriter.WriteAsync(trace, stream, cancellationToken);

    private static List<string> Find(IReadOnlyCollection<string> paths)
    {
        var files = new List<string>();
        foreach (var path in paths)
        {
            if (!Directory.Exists(path))
            {
                if (!File.Exists(path)) throw new FileNotFoundException($"There is no file or folder {path}.", path);
                files.Add(path);
                continue;
            }

            var inFolder = Directory.GetFiles(path, "*" + Extension);
            if (inFolder.Length == 0)
                throw new FileNotFoundException($"There is no trace (*{Extension}) in {path}.", path);
            files.AddRange(inFolder.Order(StringComparer.Ordinal));
        }

        return [.. files.DistinctBy(Path.GetFullPath)];
    }
}

/// <summary>A trace, and what it was read from.</summary>
/// <param name="Trace">The trace.</param>
/// <param name="Files">The files, in the order in which they were read.</param>
/// <param name="Attempts">Attempts in them, of whatever transactions; of a merged trace, its transactions.</param>
internal sealed record TraceReading(AccessTrace Trace, IReadOnlyList<TraceFileReport> Files, long Attempts);
