using System.Globalization;
using System.Text;
using Polyjuice.Policies;

namespace Polyjuice.Training.Cluster.Races;

/// <summary>
/// What a race has measured so far: a text file with a line for each measurement, written as they end. Not thread-safe.
/// <code>
/// polyjuice-race 1 FINGERPRINT
/// ROUND TABLE RATE
/// </code>
/// The fingerprint is of everything that decides the race, all tables
/// included; a table is a hash of its file's text, in hexadecimal.
/// </summary>
internal sealed class RaceJournal : IDisposable
{
    private const string Magic = "polyjuice-race 1 ";

    private readonly Dictionary<(int Round, ulong Table), double> _rates = [];
    private readonly StreamWriter _writer;

    private RaceJournal(StreamWriter writer) => _writer = writer;

    /// <summary>Measurements of earlier runs.</summary>
    public int Count => _rates.Count;

    /// <summary>Opens a race's file. One of another race, of other tables above all, is begun anew.</summary>
    /// <param name="path">Where.</param>
    /// <param name="fingerprint">Of the race.</param>
    /// <exception cref="ArgumentException">The file is no race's. It is not changed.</exception>
    /// <exception cref="IOException">It can't be used.</exception>
    public static RaceJournal Open(string path, ulong fingerprint)
    {
        var first = Magic + fingerprint.ToString("x16", CultureInfo.InvariantCulture);
        var lines = File.Exists(path) ? Read(path) : [];
        if (lines.Count > 0 && !lines[0].StartsWith(Magic, StringComparison.Ordinal))
            throw new ArgumentException($"{path} is no checkpoint of a race.", nameof(path));
        var kept = lines.Count > 0 && lines[0] == first
            ? WholeRounds([.. lines.Skip(1).Select(line => Parse(line, path))])
            : [];

        // Written anew: what is torn, or of a round that was not whole,
        // is dropped. Who ends this now loses no more than a race.
        var file = new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.Read);
        var writer = new StreamWriter(file) { AutoFlush = true, NewLine = "\n" };
        writer.WriteLine(first);
        var journal = new RaceJournal(writer);
        foreach (var (round, table, rate) in kept)
        {
            journal._rates[(round, table)] = rate;
            journal.Write(round, table, rate);
        }

        return journal;
    }

    /// <summary>What a table came to in a round of an earlier run, or <see langword="null"/>.</summary>
    public double? Find(int round, PolicyDocument table) =>
        _rates.TryGetValue((round, HashOf(table)), out var rate) ? rate : null;

    /// <summary>Writes down a measurement.</summary>
    public void Add(int round, PolicyDocument table, double rate) => Write(round, HashOf(table), rate);

    /// <inheritdoc/>
    public void Dispose() => _writer.Dispose();

    private void Write(int round, ulong table, double rate) =>
        _writer.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{round} {table:x16} {rate:R}"));

    private static ulong HashOf(PolicyDocument table) => StableHash.Of(PolicyWriter.Write(table));

    private static List<string> Read(string path)
    {
        var text = File.ReadAllText(path, Encoding.UTF8);
        return [.. text[..(text.LastIndexOf('\n') + 1)].Split('\n', StringSplitOptions.RemoveEmptyEntries)];
    }

    private static (int Round, ulong Table, double Rate) Parse(string line, string path)
    {
        var parts = line.Split(' ');
        return parts.Length == 3 && int.TryParse(parts[0], CultureInfo.InvariantCulture, out var round)
            && ulong.TryParse(parts[1], NumberStyles.HexNumber, CultureInfo.InvariantCulture, out var table)
            && double.TryParse(parts[2], CultureInfo.InvariantCulture, out var rate)
            ? (round, table, rate)
            : throw new ArgumentException($"{path}: \"{line}\" is no line of a race's checkpoint.", nameof(path));
    }

    // What is compared in pairs is measured together: a round that may not have been whole begins anew.
    private static IReadOnlyList<(int Round, ulong Table, double Rate)> WholeRounds(
        IReadOnlyList<(int Round, ulong Table, double Rate)> all)
    {
        var last = all.Select(static one => one.Round).DefaultIfEmpty().Max();
        return [.. all.Where(one => one.Round < last)];
    }
}
