using System.Globalization;
using Polyjuice.Training.Provenance;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Traces;

namespace Polyjuice.CommandLine;

/// <summary>What is trained on.</summary>
/// <param name="Workload">The trace as a shape.</param>
/// <param name="Settings">The replay.</param>
/// <param name="Digest">Of the trace.</param>
/// <param name="Source">Where the trace is from, for people: no folder, which is nobody's business.</param>
internal sealed record TrainingInput(ReplayWorkload Workload, ReplaySettings Settings, string Digest, string Source)
{
    /// <summary>Reads a trace.</summary>
    /// <param name="files">The trace's files, or folders of them.</param>
    /// <param name="settings">The replay.</param>
    /// <param name="output">Where to say what was read.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="ArgumentException">The trace is too short.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static TrainingInput Read(
        IReadOnlyList<string> files, ReplaySettings settings, TextWriter output, CancellationToken cancellationToken) =>
        Of(
            TraceFile.Read(files, cancellationToken).Trace, settings, SourceOf(files), output);

    /// <summary>Where a trace is from, for people.</summary>
    /// <param name="files">Its files, or folders of them.</param>
    public static string SourceOf(IReadOnlyList<string> files) =>
        string.Join(", ", files.Select(file => Path.GetFileName(Path.TrimEndingDirectorySeparator(file))));

    /// <summary>Takes a trace that was read.</summary>
    /// <param name="trace">The trace.</param>
    /// <param name="settings">The replay.</param>
    /// <param name="source">Where it is from, for people.</param>
    /// <param name="output">Where to say what it has.</param>
    /// <exception cref="ArgumentException">It is too short.</exception>
    public static TrainingInput Of(AccessTrace trace, ReplaySettings settings, string source, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(trace);
        ArgumentNullException.ThrowIfNull(settings);
        ArgumentNullException.ThrowIfNull(output);
        var workload = ReplayWorkload.Of(trace, settings.Silos);
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"a trace of {trace.Transactions.Length:n0} transactions of {trace.Types.Count} types with "
            + $"{trace.Accesses.Length:n0} accesses at {trace.Sites.Count} sites; {workload.ContendingTypes.Count} "
            + $"types contend"));
        return new TrainingInput(workload, settings, TraceDigest.Of(trace), source);
    }
}
