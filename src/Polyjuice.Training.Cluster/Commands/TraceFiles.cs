using Polyjuice.Tracing;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Cluster.Commands;

/// <summary>
/// Reads the traces that a training is asked for, from files, folders, and wherever else sources read.
/// </summary>
internal static class TraceFiles
{
    /// <summary>Reads them; says of each file that is torn where it was cut.</summary>
    /// <param name="places">As they were typed.</param>
    /// <param name="setup">Who reads what is no file or folder.</param>
    /// <param name="option">The option's name, for messages.</param>
    /// <param name="error">Where to say what was cut.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>The trace, and where it is from, for people: no folder, which is nobody's business.</returns>
    /// <exception cref="IOException">A file is no trace, or can't be read.</exception>
    /// <exception cref="ArgumentException">Nothing says where traces are.</exception>
    public static async Task<(AccessTrace Trace, string Source)> ReadAsync(
        IReadOnlyList<string> places, TrainCommandSetup setup, string option, TextWriter error,
        CancellationToken cancellationToken)
    {
        if (places.Count == 0)
            throw new CommandInputException($"{option} is missing: name the trace's files, or folders of them.");
        var sources = places.Select(place => setup.SourceAt(place, option)).ToArray();
        TraceReading reading;
        var areFiles = sources.All(static source => source is null);
        if (areFiles)
        {
            reading = TraceFile.Read(places, cancellationToken);
        }
        else
        {
            var files = new List<(string Name, Func<Stream> Open)>();
            for (var i = 0; i < sources.Length; i++)
            {
                var source = sources[i] ?? new FileTraceSource(places[i]);
                files.AddRange(await FilesOfAsync(source, cancellationToken).ConfigureAwait(false));
            }

            reading = TraceFile.Read(files, cancellationToken);
        }

        foreach (var file in reading.Files.Where(static file => file.Torn is not null))
            await error.WriteLineAsync($"{file.Name}: cut at offset {file.Bytes}: {file.Torn}.").ConfigureAwait(false);
        var from = areFiles
            ? TrainingInput.SourceOf(places)
            : string.Join(", ", sources.Select((source, i) => source?.Location ?? places[i]));
        return (reading.Trace, from);
    }

    private static async Task<IEnumerable<(string Name, Func<Stream> Open)>> FilesOfAsync(
        ITraceSource source, CancellationToken cancellationToken)
    {
        var files = await source.ListAsync(cancellationToken).ConfigureAwait(false);
        if (files.Count == 0) throw new FileNotFoundException($"There is no trace in {source.Location}.");
        return files.OrderBy(static file => file.Name, StringComparer.Ordinal)
            .Select(file => (file.Name, (Func<Stream>)(() => source.Open(file.Name))));
    }
}
