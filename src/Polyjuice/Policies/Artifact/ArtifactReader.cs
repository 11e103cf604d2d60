using System.Globalization;

namespace Polyjuice.Policies.Artifact;

/// <summary>Imports policy files of the artifact.</summary>
internal sealed class ArtifactReader
{
    private readonly string _file;
    private readonly string[] _lines;
    private readonly SiteCatalogue _catalogue;
    private int _line;

    private ArtifactReader(string text, string file, SiteCatalogue catalogue)
    {
        _file = file;
        _lines = text.TrimEnd().Split('\n');
        _catalogue = catalogue;
    }

    /// <summary>Reads a file's text.</summary>
    /// <param name="text">The text.</param>
    /// <param name="file">Its name: for errors, and for the document's name and provenance.</param>
    /// <param name="workload">
    /// The workload whose accesses the rows are; see <see cref="ArtifactWorkloads.Names"/>.
    /// </param>
    /// <exception cref="PolicyFormatException">
    /// It does not follow the format, or has not the workload's shape.
    /// </exception>
    /// <exception cref="ArgumentException">There is no such workload.</exception>
    public static PolicyDocument Read(string text, string file, string workload)
    {
        var document = new ArtifactReader(text, file, ArtifactWorkloads.Get(workload)).Read();
        return document with
        {
            Name = Path.GetFileNameWithoutExtension(file),
            Description = $"Imported from the Polyjuice artifact's text format, workload {workload}.",
            Provenance = [new("imported from", Path.GetFileName(file)), new("workload", workload)],
        };
    }

    private PolicyDocument Read()
    {
        Heading(ArtifactFormat.BufferSize);
        var size = Numbers("buffer size", 1)[0];
        if (size < 0) throw Wrong("buffer size", 0, "Must not be negative.");
        var committed = Backoffs(ArtifactFormat.CommitBackoff, "commit backoff");
        var aborted = Backoffs(ArtifactFormat.AbortBackoff, "abort backoff");
        Heading(ArtifactFormat.Accesses);
        var types = new List<TypePolicy>();
        for (var t = 0; t < _catalogue.Types.Count; t++)
        {
            var type = _catalogue.Types[t];
            types.Add(new TypePolicy
            {
                Type = type.Name,
                Backoff = new PolicyBackoff(committed.Select(row => row[t]), aborted.Select(row => row[t])),
                Rows = [.. type.Sites.Select(site => new SiteRow(site.Name, Row($"access \"{site.Name}\"")))],
            });
        }

        if (_line < _lines.Length)
            throw Wrong(
                "",
                0,
                $"The workload has {_catalogue.Types.Sum(t => t.Sites.Count)} accesses, and more lines follow; name "
                + $"the workload that the file is for ({string.Join(", ", ArtifactWorkloads.Names)}).",
                _line + 1);
        return new PolicyDocument { Name = "", ArtifactBufferSize = size, Catalogue = _catalogue, Types = types };
    }

    private int[][] Backoffs(string heading, string field)
    {
        Heading(heading);
        var rows = new int[3][];
        for (var i = 0; i < rows.Length; i++)
        {
            rows[i] = Numbers(field, _catalogue.Types.Count);
            var wrong = Array.FindIndex(rows[i], value => !PolicyBackoff.Multipliers.Contains(value));
            if (wrong >= 0)
                throw Wrong(
                    $"{field} of {_catalogue.Types[wrong].Name}",
                    wrong,
                    $"{rows[i][wrong]} is not one of 0, 1, 2, 4 and 8.");
        }

        return rows;
    }

    private PolicyCells Row(string field)
    {
        var cells = Numbers(field, ArtifactFormat.BitColumns + _catalogue.Types.Count);
        string[] bits = ["dirty-and-public bit", "wait-enable bit", "early-validation bit"];
        for (var i = 0; i < bits.Length; i++)
        {
            if (cells[i] is not (0 or 1)) throw Wrong($"{field}, {bits[i]}", i, $"{cells[i]} is neither 0 nor 1.");
        }

        var waits = new List<KeyValuePair<string, WaitCell>>();
        for (var t = 0; t < _catalogue.Types.Count; t++)
        {
            var (type, number) = (_catalogue.Types[t], cells[ArtifactFormat.BitColumns + t]);
            if (number < 0 || number > type.Sites.Count + 1)
            {
                throw Wrong(
                    $"{field}, wait for {type.Name}", ArtifactFormat.BitColumns + t,
                    $"{number} is out of range: 0, 1 to {type.Sites.Count} for {type.Name}'s accesses, or "
                    + $"{type.Sites.Count + 1} for its commit.");
            }

            waits.Add(new(type.Name, ArtifactFormat.CellOf(number, type)));
        }

        return new PolicyCells
        {
            Read = cells[0] == 1 ? ReadVersion.Dirty : ReadVersion.Clean,
            Write = cells[0] == 1 ? WriteVisibility.Public : WriteVisibility.Private,
            WaitsOff = cells[1] == 0,
            EarlyValidation = cells[2] == 1,
            Waits = new PolicyWaits(WaitCell.No, waits),
        };
    }

    private void Heading(string expected)
    {
        var found = string.Join(' ', Words(NextLine(expected)));
        if (found == expected) return;
        if (found == ArtifactFormat.FinalCommitWait)
            throw Wrong(
                found,
                0,
                $"The file is in the artifact's older layout, with a \"{ArtifactFormat.FinalCommitWait}\" section, "
                + "which is not supported; use a file without it.");
        throw Wrong("", 0, $"Is \"{found}\", where the format has the line \"{expected}\".");
    }

    private int[] Numbers(string field, int count)
    {
        var words = Words(NextLine(field));
        if (words.Length != count)
            throw Wrong(
                field,
                0,
                $"Has {words.Length} values instead of {count}; name the workload that the file is for "
                + $"({string.Join(", ", ArtifactWorkloads.Names)}).");
        var numbers = new int[count];
        for (var i = 0; i < count; i++)
        {
            if (!int.TryParse(words[i], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out numbers[i]))
                throw Wrong(field, i, $"\"{words[i]}\" is not a whole number.");
        }

        return numbers;
    }

    private string NextLine(string field) => _line < _lines.Length
        ? _lines[_line++]
        : throw Wrong(
            field,
            0,
            "The file ends before it; name the workload that the file is for, or restore the missing lines.",
            _lines.Length + 1);

    private static string[] Words(string line) => line.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);

    /// <param name="field">What is wrong.</param>
    /// <param name="word">Which word of the line, from 0.</param>
    /// <param name="message">Why.</param>
    /// <param name="line">From 1; 0 for the last one read.</param>
    private PolicyFormatException Wrong(string field, int word, string message, int line = 0)
    {
        line = line == 0 ? _line : line;
        var column = 1;
        var text = line <= _lines.Length ? _lines[line - 1] : "";
        for (var at = 0; word >= 0 && at < text.Length; word--)
        {
            while (at < text.Length && char.IsWhiteSpace(text[at])) at++;
            column = at + 1;
            while (at < text.Length && !char.IsWhiteSpace(text[at])) at++;
        }

        return new PolicyFormatException(_file, line, column, field, message);
    }
}
