using System.Text;

namespace Polyjuice.Policies;

/// <summary>
/// Draws a policy as a table that a person can read: a line per
/// access site, a column per action and per dependency type.
/// </summary>
internal static class PolicyGrid
{
    /// <summary>The grid with its legend, as plain text.</summary>
    public static string Render(PolicyDocument document)
    {
        var text = new StringBuilder();
        text.Append(document.Name);
        if (document.Description.Length > 0) text.Append(": ").Append(document.Description);
        text.Append('\n');
        if (document.Rule is not null) text.Append("rule: ").Append(document.Rule).Append('\n');
        foreach (var (name, value) in document.Provenance) text.Append(name).Append(": ").Append(value).Append('\n');

        var table = Of(document);
        var lines = new TextTable(["", .. table.Columns]);
        foreach (var section in table.Sections)
        {
            lines.Heading(section.Heading);
            foreach (var row in section.Rows)
                lines.Row([row.Number, row.IsHot ? "  while hot" : row.Site, .. row.Cells]);
        }

        if (document.Catalogue.Types.Count == 0 && PolicyRules.Find(document.Rule) is not null)
            text.Append(
                "The rule gives each site its row; a policy with a catalogue, or --workload, shows them. Until a site "
                + "has been seen, it has the row below.\n");
        text.Append('\n').Append(lines);
        text.Append('\n').AppendJoin('\n', table.Legend).Append('\n');
        return text.ToString();
    }

    /// <summary>The grid as a table, every row spelled out.</summary>
    /// <param name="document">The policy.</param>
    public static PolicyGridTable Of(PolicyDocument document)
    {
        var full = new DocumentPolicy(document).Materialize();
        var types = full.Catalogue.Types;
        var sections = new List<PolicyGridSection>();
        for (var t = 0; t < types.Count; t++)
        {
            var policy = full.Types[t];
            var backoff = full.BackoffOf(policy.Type);
            var rows = new List<PolicyGridRow>();
            for (var s = 0; s < policy.Rows.Count; s++)
            {
                var number = types[t].Sites[s].Loop ? $"{s + 1}*" : $"{s + 1}";
                Rows(rows, number, policy.Rows[s].Site, policy.Rows[s].Cells, types);
            }

            if (policy.Default is not null) Rows(rows, "", "(its other sites)", policy.Default, types);
            var heading =
                $"{Letter(t)} = {policy.Type}  (backoff: committed {string.Join('/', backoff.Committed)}, aborted "
                + $"{string.Join('/', backoff.Aborted)}; admission: "
                + $"{AdmissionNames.Of(full.AdmissionOf(policy.Type))})";
            sections.Add(new PolicyGridSection(policy.Type, heading, rows));
        }

        var others = types.Count == 0 ? "every type" : "other types";
        var rest = new List<PolicyGridRow>();
        Rows(rest, "", types.Count == 0 ? "(every site)" : "(their sites)", full.Default!, types);
        sections.Add(
            new PolicyGridSection(
                "",
                full.AdmissionOf(null) == PolicyAdmission.Run
                    ? others
                    : $"{others}  (admission: {AdmissionNames.Of(full.AdmissionOf(null))})",
                rest));
        return new PolicyGridTable(
            ["site", "read", "write", "early", "holders", .. types.Select((_, t) => Letter(t)), "rest"],
            sections,
            Legend(types.Count > 0, full));
    }

    /// <summary>A row, and below it what it says for hot participants.</summary>
    private static void Rows(
        List<PolicyGridRow> rows, string number, string site, PolicyCells cells, IReadOnlyList<CatalogueType> types)
    {
        rows.Add(new PolicyGridRow(number, site, IsHot: false, [.. Cells(cells, types)]));
        if (cells.Heat is { } heat) rows.Add(new PolicyGridRow("", site, IsHot: true, [.. Cells(heat, types)]));
    }

    private static IEnumerable<string> Cells(PolicyCells cells, IReadOnlyList<CatalogueType> types)
    {
        yield return cells.Read == ReadVersion.Dirty ? "dirty" : "clean";
        yield return cells.Write == WriteVisibility.Public ? "public" : "private";
        yield return cells.EarlyValidation ? "yes" : ".";
        yield return cells.WaitForHolders ? Holders(cells) : ".";
        foreach (var type in types) yield return Wait(cells.Waits[type.Name], cells.WaitsOff, type);
        yield return Wait(cells.Waits.Rest, cells.WaitsOff, null);
    }

    /// <summary>
    /// What becomes of an access that finds holders: "no", "wait", "die"
    /// or "wound", with an asterisk if only holders of some types count.
    /// </summary>
    internal static string Holders(PolicyCells cells) =>
        !cells.WaitForHolders ? "no" : PolicyWriter.NameOf(cells.Conflict) + (cells.HoldersByType ? "*" : "");

    private static string Wait(WaitCell cell, bool isOff, CatalogueType? type)
    {
        var text = cell.Until switch
        {
            WaitUntil.No => ".",
            WaitUntil.Sealed => "sealed",
            _ => $"{type!.PositionOf(cell.Site!) + 1}",
        };
        return isOff && text != "." ? $"({text})" : text;
    }

    private static List<string> Legend(bool hasTypes, PolicyDocument document)
    {
        var lines = new List<string>
        {
            "read: the latest sealed version (clean) or the latest exposed one (dirty). write: kept in the buffer "
            + "(private) or exposed after the access (public).",
            "early: validate after the access. holders: wait first for running transactions that accessed the state "
            + "in conflict.",
        };
        if (document.AllCells.Any(cells => cells.Conflict != HolderConflict.Wait))
            lines.Add("die, wound: the younger of two aborts, when it comes second (die) or when it holds (wound).");
        if (document.AllCells.Any(cells => cells.HoldersByType))
            lines.Add("wait*: for holders of those types only for which the row says sealed.");
        if (hasTypes)
        {
            lines.Add(
                "A, B, …: before the access, wait for dependencies of that type: . do not; 3 until it has finished its "
                + "site 3; sealed until it is sealed or aborted.");
            if (document.Types.Any(t => t.Rows.Any(r => r.Cells.WaitsOff && r.Cells.Waits != PolicyWaits.None)))
                lines.Add("(3): void, because the row's waits are off.");
            if (document.Catalogue.Types.Any(t => t.Sites.Any(s => s.Loop)))
                lines.Add("*: the site is in a loop, or is passed in parallel.");
        }

        if (document.HasHeat)
            lines.Add(
                "while hot: instead, at a participant where so many accesses met another transaction in "
                + "conflict lately.");
        if (document.AdmissionOf(null) != PolicyAdmission.Run
            || document.Types.Any(t => t.Admission is not (null or PolicyAdmission.Run)))
            lines.Add(
                "admission: of transactions whose method or silo allows dry runs; the others run at once. dry-run: the "
                + "body is run dry first; +reserve: then queues at all that it accessed; auto: the silo chooses.");
        lines.Add("rest: the same for all other types.");
        return lines;
    }

    /// <summary>A to Z, then AA and on.</summary>
    private static string Letter(int index) =>
        index < 26 ? $"{(char)('A' + index)}" : Letter((index / 26) - 1) + Letter(index % 26);
}
