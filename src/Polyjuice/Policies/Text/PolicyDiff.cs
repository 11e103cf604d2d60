namespace Polyjuice.Policies;

/// <summary>One difference between two policies.</summary>
/// <param name="Where">The type and site, or what else differs.</param>
/// <param name="Cell">The cell, or empty.</param>
/// <param name="Left">What the first says.</param>
/// <param name="Right">What the second says.</param>
internal sealed record PolicyDifference(string Where, string Cell, string Left, string Right);

/// <summary>Compares what two policies make an access do. Names, descriptions and provenance do not count.</summary>
internal static class PolicyDiff
{
    /// <summary>
    /// The differences, in the order of the sites. If one policy has no catalogue, it is spelled out over the other's,
    /// so that a trained table can be compared with a built-in one.
    /// </summary>
    public static IReadOnlyList<PolicyDifference> Compare(PolicyDocument left, PolicyDocument right)
    {
        if (left.Catalogue.Types.Count == 0) left = left with { Catalogue = right.Catalogue };
        if (right.Catalogue.Types.Count == 0) right = right with { Catalogue = left.Catalogue };
        var (a, b) = (new DocumentPolicy(left).Materialize(), new DocumentPolicy(right).Materialize());
        var found = new List<PolicyDifference>();

        // Without a catalogue there are no rows that would show what a rule does.
        if (a.Catalogue.Types.Count == 0)
        {
            Add(found, "policy", "rule", left.Rule ?? PolicyRules.Uniform, right.Rule ?? PolicyRules.Uniform);
            Add(found, "policy", "groups", Text(left.Groups), Text(right.Groups));
        }

        Add(found, "default row", a.Default!, b.Default!, []);
        Add(
            found,
            "default row",
            "admission",
            AdmissionNames.Of(a.AdmissionOf(null)),
            AdmissionNames.Of(b.AdmissionOf(null)));
        foreach (var name in a.Catalogue.Types.Concat(b.Catalogue.Types).Select(t => t.Name)
            .Distinct(StringComparer.Ordinal))
            CompareType(found, name, a, b);
        return found;
    }

    /// <summary>The differences as plain text, a line each; a sentence if there are none.</summary>
    public static string Render(PolicyDocument left, PolicyDocument right)
    {
        var differences = Compare(left, right);
        if (differences.Count == 0) return $"{left.Name} and {right.Name} do the same everywhere.\n";
        var table = new TextTable(["", "where", "cell", left.Name, right.Name]);
        foreach (var difference in differences)
            table.Row(["", difference.Where, difference.Cell, difference.Left, difference.Right]);
        var rows = differences.Select(difference => difference.Where).Distinct(StringComparer.Ordinal).Count();
        return $"{table}{differences.Count} cells differ in {rows} places.\n";
    }

    private static void CompareType(List<PolicyDifference> found, string name, PolicyDocument a, PolicyDocument b)
    {
        var (left, right) = (a.Catalogue.Find(name), b.Catalogue.Find(name));
        if (left is null || right is null)
        {
            Add(found, name, "type", left is null ? "absent" : "present", right is null ? "absent" : "present");
            return;
        }

        Add(found, name, "admission", AdmissionNames.Of(a.AdmissionOf(name)), AdmissionNames.Of(b.AdmissionOf(name)));
        Add(found, name, "backoff", Text(a.BackoffOf(name)), Text(b.BackoffOf(name)));
        var (leftRows, rightRows) = (a.Find(name)!, b.Find(name)!);
        var types = a.Catalogue.Types.Concat(b.Catalogue.Types).Select(t => t.Name).Distinct(StringComparer.Ordinal)
            .ToArray();
        Add(found, $"{name}: default row", leftRows.Default ?? a.Default!, rightRows.Default ?? b.Default!, types);
        foreach (var site in left.Sites.Concat(right.Sites).Select(s => s.Name).Distinct(StringComparer.Ordinal))
        {
            var where = $"{name}: {site}";
            var (i, j) = (left.PositionOf(site), right.PositionOf(site));
            Add(found, where, "position", i < 0 ? "absent" : $"{i + 1}", j < 0 ? "absent" : $"{j + 1}");
            if (i < 0 || j < 0) continue;
            Add(found, where, "loop", left.Sites[i].Loop ? "yes" : "no", right.Sites[j].Loop ? "yes" : "no");
            Add(found, where, leftRows.Find(site)!, rightRows.Find(site)!, types);
        }
    }

    private static void Add(
        List<PolicyDifference> found, string where, PolicyCells left, PolicyCells right, string[] types)
    {
        AddCells(found, where, left, right, types);

        // A row without cells of its own for hot participants does there what it always does.
        if (left.Heat is not null || right.Heat is not null)
            AddCells(found, $"{where}, while hot", left.Heat ?? left, right.Heat ?? right, types);
    }

    private static void AddCells(
        List<PolicyDifference> found, string where, PolicyCells left, PolicyCells right, string[] types)
    {
        Add(
            found,
            where,
            "read",
            left.Read == ReadVersion.Dirty ? "dirty" : "clean",
            right.Read == ReadVersion.Dirty ? "dirty" : "clean");
        Add(
            found,
            where,
            "write",
            left.Write == WriteVisibility.Public ? "public" : "private",
            right.Write == WriteVisibility.Public ? "public" : "private");
        Add(found, where, "early", left.EarlyValidation ? "yes" : "no", right.EarlyValidation ? "yes" : "no");
        Add(found, where, "holders", PolicyGrid.Holders(left), PolicyGrid.Holders(right));
        foreach (var type in types)
            Add(
                found,
                where,
                $"wait for {type}",
                left.EffectiveWaits[type].ToString(),
                right.EffectiveWaits[type].ToString());
        Add(found, where, "wait for others", left.EffectiveWaits.Rest.ToString(), right.EffectiveWaits.Rest.ToString());
    }

    private static void Add(List<PolicyDifference> found, string where, string cell, string left, string right)
    {
        if (!string.Equals(left, right, StringComparison.Ordinal))
            found.Add(new PolicyDifference(where, cell, left, right));
    }

    private static string Text(IReadOnlyList<TypeGroup> groups) =>
        groups.Count == 0 ? "by the rule" : string.Join(" | ", groups.Select(group => string.Join(", ", group.Types)));

    private static string Text(PolicyBackoff backoff) =>
        $"{string.Join('/', backoff.Committed)} {string.Join('/', backoff.Aborted)}";
}
