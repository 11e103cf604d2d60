using System.Globalization;
using Polyjuice.Training.Provenance;

namespace Polyjuice.Training.Search;

/// <summary>
/// A search's checkpoint: a text file with a line for each replay, written as they end. Whoever resumes the search
/// makes it from the start and finds here what was replayed. Not thread-safe.
/// <code>
/// polyjuice-search 1 FINGERPRINT
/// CANDIDATE RUNG SCORE MILLISECONDS
/// </code>
/// The fingerprint is of everything that decides the search; a candidate is its
/// hash, in hexadecimal. A last line that a crash has cut short is dropped.
/// </summary>
internal sealed class SearchJournal : IDisposable
{
    private const string Magic = "polyjuice-search 1 ";

    private readonly Dictionary<(ulong, int), (double Score, TimeSpan Elapsed)> _scores = [];
    private readonly StreamWriter _writer;

    private SearchJournal(StreamWriter writer) => _writer = writer;

    /// <summary>How long earlier runs of the search took.</summary>
    public TimeSpan Elapsed { get; private set; }

    /// <summary>Replays of earlier runs.</summary>
    public int Count => _scores.Count;

    /// <summary>Opens a search's file; one of another search, such as one of another build, is begun anew.</summary>
    /// <param name="path">Where. Whatever is there is deleted unless it is of this search.</param>
    /// <param name="fingerprint">Of the search.</param>
    /// <exception cref="IOException">The file cannot be used.</exception>
    public static SearchJournal OpenOrRenew(string path, ulong fingerprint)
    {
        try
        {
            return Open(path, fingerprint);
        }
        catch (ArgumentException)
        {
            File.Delete(path);
            return Open(path, fingerprint);
        }
    }

    /// <summary>Opens a search's file, made now if there is none.</summary>
    /// <param name="path">Where.</param>
    /// <param name="fingerprint">Of the search.</param>
    /// <exception cref="ArgumentException">
    /// The file is of another search, or none of this kind. It is not changed.
    /// </exception>
    /// <exception cref="IOException">The file cannot be used.</exception>
    public static SearchJournal Open(string path, ulong fingerprint)
    {
        var first = Magic + fingerprint.ToString("x16", CultureInfo.InvariantCulture);
        if (!File.Exists(path) || new FileInfo(path).Length == 0)
        {
            var made = new SearchJournal(new StreamWriter(
                new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.Read))
            {
                AutoFlush = true, NewLine = "\n"
            });
            made._writer.WriteLine(first);
            return made;
        }

        var text = File.ReadAllText(path);
        var whole = text[..(text.LastIndexOf('\n') + 1)];
        var lines = whole.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        if (lines.Length == 0 || !lines[0].StartsWith(Magic, StringComparison.Ordinal))
            throw new ArgumentException($"{path} is no checkpoint of a search.", nameof(path));
        if (lines[0] != first)
            throw new ArgumentException(
                $"{path} is the checkpoint of another search: another trace, seed, algorithm, cluster or version. Name "
                + "another file, or remove this one to begin anew.",
                nameof(path));
        var stream = new FileStream(path, FileMode.Open, FileAccess.Write, FileShare.Read);
        stream.SetLength(System.Text.Encoding.UTF8.GetByteCount(whole));
        stream.Seek(0, SeekOrigin.End);
        var journal = new SearchJournal(new StreamWriter(stream) { AutoFlush = true, NewLine = "\n" });
        try
        {
            foreach (var line in lines.Skip(1)) journal.Read(line, path);
        }
        catch
        {
            journal.Dispose();
            throw;
        }

        return journal;
    }

    /// <summary>Opens one of several searches' files in a folder, NAME.journal.</summary>
    /// <param name="folder">An existing folder; or nothing, if nothing is kept.</param>
    /// <param name="name">Of the file.</param>
    /// <param name="plan">What is searched.</param>
    /// <param name="traceDigest">See <see cref="TraceDigest"/>.</param>
    /// <returns><see langword="null"/> without a folder.</returns>
    /// <exception cref="ArgumentException">As <see cref="Open"/>.</exception>
    /// <exception cref="IOException">As <see cref="Open"/>.</exception>
    public static SearchJournal? OpenIn(string? folder, string name, TrainingPlan plan, string traceDigest) =>
        folder is null
            ? null
            : Open(Path.Combine(folder, name + ".journal"), TrainingProvenance.FingerprintOf(plan, traceDigest));

    /// <summary>What a replay came to in an earlier run, or <see langword="null"/>.</summary>
    public double? Find(ulong candidate, int rung) =>
        _scores.TryGetValue((candidate, rung), out var replay) ? replay.Score : null;

    /// <summary>When that replay ended, since the search began; <see langword="null"/> if it is not here.</summary>
    public TimeSpan? EndOf(ulong candidate, int rung) =>
        _scores.TryGetValue((candidate, rung), out var replay) ? replay.Elapsed : null;

    /// <summary>Writes down a replay.</summary>
    /// <param name="candidate">Its table's hash.</param>
    /// <param name="rung">Which seed.</param>
    /// <param name="score">What it came to.</param>
    /// <param name="elapsed">Since the search began.</param>
    public void Add(ulong candidate, int rung, double score, TimeSpan elapsed) =>
        _writer.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture, $"{candidate:x16} {rung} {score:R} {elapsed.TotalMilliseconds:0}"));

    /// <inheritdoc/>
    public void Dispose() => _writer.Dispose();

    private void Read(string line, string path)
    {
        var parts = line.Split(' ');
        if (parts.Length != 4
            || !ulong.TryParse(parts[0], NumberStyles.HexNumber, CultureInfo.InvariantCulture, out var candidate)
            || !int.TryParse(parts[1], CultureInfo.InvariantCulture, out var rung)
                || !double.TryParse(parts[2], CultureInfo.InvariantCulture, out var score)
                || !double.TryParse(parts[3], CultureInfo.InvariantCulture, out var milliseconds))
            throw new ArgumentException($"{path}: \"{line}\" is no line of a search's checkpoint.", nameof(path));
        Elapsed = TimeSpan.FromMilliseconds(milliseconds);
        _scores[(candidate, rung)] = (score, Elapsed);
    }
}
