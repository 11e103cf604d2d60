using System.Text;
using System.Text.Encodings.Web;

namespace Polyjuice.Policies;

/// <summary>
/// Writes policy files in their one canonical form: a line per row and per site, fields in a fixed order, so that a
/// diff of two files shows the rows that differ. What <see cref="PolicyReader"/> read is written back the same.
/// </summary>
internal static class PolicyWriter
{
    /// <summary>How files write <see cref="PolicyCells.HoldersByType"/>.</summary>
    internal const string ByType = "by-type";

    /// <summary>The file's text.</summary>
    public static string Write(PolicyDocument document)
    {
        var members = new List<string> { $"  \"schema\": {document.Schema}", $"  \"name\": {Quote(document.Name)}" };
        if (document.Description.Length > 0) members.Add($"  \"description\": {Quote(document.Description)}");
        if (document.Rule is not null) members.Add($"  \"rule\": {Quote(document.Rule)}");
        if (document.Groups.Count > 0)
            members.Add(
                $"  \"groups\": {Block('[', "  ", document.Groups.Select(group => $"    [{string.Join(", ", group.Types.Select(Quote))}]"), ']')}");
        if (document.Provenance.Count > 0)
            members.Add(
                $"  \"provenance\": {Block('{', "  ", document.Provenance.Select(e => $"    {Quote(e.Key)}: {Quote(e.Value)}"), '}')}");
        if (document.ArtifactBufferSize is { } size) members.Add($"  \"artifactBufferSize\": {size}");
        if (document.Catalogue != SiteCatalogue.Empty) members.Add($"  \"catalogue\": {Catalogue(document.Catalogue)}");
        if (document.Admission is { } admission) members.Add($"  \"admission\": \"{AdmissionNames.Of(admission)}\"");
        if (document.Default is not null) members.Add($"  \"default\": {{ {Cells(document.Default)} }}");
        if (document.Backoff is not null) members.Add($"  \"backoff\": {Backoff(document.Backoff)}");
        if (document.Types.Count > 0) members.Add($"  \"types\": {Block('[', "  ", document.Types.Select(Type), ']')}");
        return Block('{', "", members, '}') + "\n";
    }

    /// <summary>One row's cells as its line in the file has them.</summary>
    internal static string Cells(PolicyCells cells)
    {
        var text = new StringBuilder();
        text.Append("\"read\": ").Append(cells.Read == ReadVersion.Dirty ? "\"dirty\"" : "\"clean\"");
        text.Append(", \"write\": ").Append(cells.Write == WriteVisibility.Public ? "\"public\"" : "\"private\"");
        text.Append(", \"earlyValidation\": ").Append(cells.EarlyValidation ? "true" : "false");
        text.Append(", \"waitForHolders\": ")
            .Append(cells.HoldersByType && cells.WaitForHolders
                ? $"\"{ByType}\""
                : cells.WaitForHolders ? "true" : "false");
        if (cells.Conflict != HolderConflict.Wait)
            text.Append(", \"conflict\": \"").Append(NameOf(cells.Conflict)).Append('"');
        if (cells.WaitsOff) text.Append(", \"waitsOff\": true");
        if (cells.Waits != PolicyWaits.None) text.Append(", \"waits\": ").Append(Waits(cells.Waits));
        if (cells.Heat is { } heat) text.Append(", \"heat\": { ").Append(Cells(heat)).Append(" }");
        return text.ToString();
    }

    /// <summary>How files, and tables for people, name a conflict's decision.</summary>
    internal static string NameOf(HolderConflict conflict) =>
        conflict switch { HolderConflict.Die => "die", HolderConflict.Wound => "wound", _ => "wait" };

    private static string Waits(PolicyWaits waits)
    {
        var cells = waits.ByType.Select(cell => $"{Quote(cell.Key)}: {Quote(cell.Value.ToString())}");
        if (waits.Rest != WaitCell.No)
            cells = cells.Append($"{Quote(PolicyWaits.RestName)}: {Quote(waits.Rest.ToString())}");
        return $"{{ {string.Join(", ", cells)} }}";
    }

    private static string Catalogue(SiteCatalogue catalogue)
    {
        var types = catalogue.Types.Select(type =>
            $"      {{ \"type\": {Quote(type.Name)}, \"sites\": "
            + $"{Block('[', "      ", type.Sites.Select(Site), ']')} }}");
        return Block(
            '{',
            "  ",
            [$"    \"version\": {catalogue.Version}", $"    \"types\": {Block('[', "    ", types, ']')}"],
            '}');
    }

    private static string Site(CatalogueSite site) =>
        $"        {{ \"site\": {Quote(site.Name)}, \"state\": {Quote(site.State)}, \"kind\": "
        + $"\"{(site.Kind == AccessKind.Read ? "read" : "update")}\"{(site.Loop ? ", \"loop\": true" : "")} }}";

    private static string Type(TypePolicy type)
    {
        var members = new List<string> { $"      \"type\": {Quote(type.Type)}" };
        if (type.Admission is { } admission) members.Add($"      \"admission\": \"{AdmissionNames.Of(admission)}\"");
        if (type.Backoff is not null) members.Add($"      \"backoff\": {Backoff(type.Backoff)}");
        if (type.Default is not null) members.Add($"      \"default\": {{ {Cells(type.Default)} }}");
        if (type.Rows.Count > 0)
            members.Add(
                $"      \"rows\": {Block('[', "      ", type.Rows.Select(row => $"        {{ \"site\": {Quote(row.Site)}, {Cells(row.Cells)} }}"), ']')}");
        return $"    {Block('{', "    ", members, '}')}";
    }

    private static string Backoff(PolicyBackoff backoff) =>
        $"{{ \"committed\": [{string.Join(", ", backoff.Committed)}], \"aborted\": "
        + $"[{string.Join(", ", backoff.Aborted)}] }}";

    private static string Block(char open, string indent, IEnumerable<string> lines, char close)
    {
        var body = string.Join(",\n", lines);
        return body.Length == 0 ? $"{open}{close}" : $"{open}\n{body}\n{indent}{close}";
    }

    /// <summary>
    /// Leaves '&gt;' and letters beyond ASCII as they are: site names have the one, and people's words the other.
    /// </summary>
    private static string Quote(string text) => $"\"{JavaScriptEncoder.UnsafeRelaxedJsonEscaping.Encode(text)}\"";
}
