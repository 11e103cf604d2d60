using System.Text;

namespace Polyjuice.Policies.Artifact;

/// <summary>Exports policies to the artifact's text format.</summary>
internal static class ArtifactWriter
{
    /// <summary>
    /// The file's text. What <see cref="ArtifactReader"/> read comes back the same up to white space.
    /// </summary>
    /// <param name="document">A policy with a catalogue, whose types and sites become columns and rows.</param>
    /// <exception cref="PolicyFormatException">The format cannot say what the policy says.</exception>
    public static string Write(PolicyDocument document)
    {
        if (document.Catalogue.Types.Count == 0)
            throw Cannot(
                document, "catalogue",
                "The format has a row per access, and the policy has no catalogue that lists them; name a workload.");
        var types = document.Catalogue.Types;
        var rows = new DocumentPolicy(document).Materialize();
        var text = new StringBuilder();
        text.Append(ArtifactFormat.BufferSize).Append('\n').Append(document.ArtifactBufferSize ?? 1).Append('\n');
        Backoffs(text, ArtifactFormat.CommitBackoff, types, type => document.BackoffOf(type).Committed);
        Backoffs(text, ArtifactFormat.AbortBackoff, types, type => document.BackoffOf(type).Aborted);
        text.Append(ArtifactFormat.Accesses).Append('\n');
        foreach (var type in rows.Types)
        {
            foreach (var row in type.Rows) text.AppendJoin(' ', Numbers(document, types, type.Type, row)).Append('\n');
        }

        return text.ToString();
    }

    private static void Backoffs(
        StringBuilder text, string heading, IReadOnlyList<CatalogueType> types,
        Func<string, IReadOnlyList<int>> multipliers)
    {
        text.Append(heading).Append('\n');
        for (var aborts = 0; aborts < 3; aborts++)
            text.AppendJoin(' ', types.Select(type => multipliers(type.Name)[aborts])).Append('\n');
    }

    private static IEnumerable<int> Numbers(
        PolicyDocument document, IReadOnlyList<CatalogueType> types, string type, SiteRow row)
    {
        var cells = row.Cells;
        var field = $"types.{type}.rows.{row.Site}";
        if (cells.Heat is not null)
            throw Cannot(document, $"{field}.heat", "The format has no rows for hot participants.");
        if (cells.WaitForHolders)
            throw Cannot(document, $"{field}.waitForHolders", "The format has no wait for holders.");
        if ((cells.Read == ReadVersion.Dirty) != (cells.Write == WriteVisibility.Public))
            throw Cannot(
                document, $"{field}.read", "The format has one bit for both: dirty and public, or clean and private.");
        return
        [
            cells.Read == ReadVersion.Dirty ? 1 : 0,
            cells.WaitsOff ? 0 : 1,
            cells.EarlyValidation ? 1 : 0,
            .. types.Select(t => ArtifactFormat.NumberOf(cells.Waits[t.Name], t)),
        ];
    }

    private static PolicyFormatException Cannot(PolicyDocument document, string field, string message) =>
        new(document.Name, 0, 0, field, $"Cannot be exported. {message}");
}
