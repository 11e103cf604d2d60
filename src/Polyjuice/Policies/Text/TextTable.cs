using System.Text;

namespace Polyjuice.Policies;

/// <summary>Lines up columns of plain text under their names, with headings across.</summary>
internal sealed class TextTable(string[] columns)
{
    /// <summary>Rows, and headings as rows of one cell.</summary>
    private readonly List<string[]> _rows = [];

    public void Heading(string text) => _rows.Add([text]);

    public void Row(string[] cells) =>
        _rows.Add(cells.Length == columns.Length
            ? cells
            : throw new ArgumentException($"{columns.Length} cells.", nameof(cells)));

    public override string ToString()
    {
        var widths = columns.Select(
            (name, c) => _rows.Where(row => row.Length > 1).Select(row => row[c].Length).Append(name.Length).Max())
            .ToArray();
        var text = new StringBuilder();
        Line(text, columns, widths);
        foreach (var row in _rows)
        {
            if (row.Length == 1) text.Append(row[0]).Append('\n');
            else Line(text, row, widths);
        }

        return text.ToString();
    }

    private static void Line(StringBuilder text, string[] cells, int[] widths)
    {
        var line = string.Join(
            "  ", cells.Select((cell, c) => c == 0 ? cell.PadLeft(widths[c]) : cell.PadRight(widths[c])));
        text.Append(line.TrimEnd()).Append('\n');
    }
}
