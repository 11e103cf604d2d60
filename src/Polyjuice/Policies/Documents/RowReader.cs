using System.Globalization;
using System.Text.Json;

namespace Polyjuice.Policies;

/// <summary>
/// Reads the rows, backoffs and admissions of a policy file, and checks every name in them against its catalogue.
/// </summary>
/// <param name="catalogue">The names that there are.</param>
/// <param name="schema">The file's version.</param>
/// <param name="problems">Where to complain.</param>
internal sealed class RowReader(SiteCatalogue catalogue, int schema, ProblemList problems)
{
    private static readonly string[] TypeFields = ["type", "admission", "backoff", "default", "rows"];
    private static readonly string[] BackoffFields = ["committed", "aborted"];
    private static readonly string[] CellFields =
    [
        "read", "write", "earlyValidation", "waitForHolders", "conflict", "waits", "waitsOff"
    ];
    private static readonly string[] RowCellFields = [.. CellFields, "heat"];
    private static readonly string[] RowFields = ["site", .. RowCellFields];

    public List<TypePolicy> Types(JsonFields document)
    {
        var types = new List<TypePolicy>();
        foreach (var (item, path) in document.Items("types"))
        {
            var type = Type(new JsonFields(item, path, TypeFields, problems));
            if (types.Exists(t => t.Type == type.Type))
                problems.Add(item.Offset, $"{path}.type", $"\"{type.Type}\" is there twice; join the two.");
            else types.Add(type);
        }

        return types;
    }

    public PolicyCells? Default(JsonFields parent)
    {
        if (parent.Get("default") is not { } place) return null;
        return Cells(new JsonFields(place, parent.At("default"), RowCellFields, problems));
    }

    public PolicyBackoff? Backoff(JsonFields parent)
    {
        if (parent.Get("backoff") is not { } place) return null;
        var fields = new JsonFields(place, parent.At("backoff"), BackoffFields, problems);
        return new PolicyBackoff(Multipliers(fields, "committed"), Multipliers(fields, "aborted"));
    }

    /// <summary>
    /// How transactions are let in. Schema 1 knows one way, of types
    /// only: what would run such a file must not take it for that.
    /// </summary>
    public PolicyAdmission? Admission(JsonFields fields)
    {
        if (fields.Get("admission") is not { } place) return null;
        var admission = fields.OneOf("admission", PolicyAdmission.Run, AdmissionNames.All);
        if (schema == 1 && (admission != PolicyAdmission.Run || fields.Path.Length == 0))
            problems.Add(
                place.Offset,
                fields.At("admission"),
                $"Is not of schema 1; write \"schema\": 2 at the top for \"{AdmissionNames.Of(admission)}\" here.");
        return admission;
    }

    private TypePolicy Type(JsonFields fields)
    {
        var name = fields.RequiredName("type", "a transaction type of the catalogue");
        var known = catalogue.Find(name);
        if (known is null && name.Length > 0) UnknownType(fields.Get("type")!.Offset, fields.At("type"), name);

        var rows = new List<SiteRow>();
        foreach (var (item, path) in fields.Items("rows"))
        {
            var row = new JsonFields(item, path, RowFields, problems);
            var site = row.RequiredName("site", "an access site of the catalogue");
            if (known is not null && site.Length > 0 && known.PositionOf(site) < 0)
                UnknownSite(row.Get("site")!.Offset, row.At("site"), known, site);
            if (rows.Exists(r => r.Site == site))
                problems.Add(item.Offset, row.At("site"), $"There are two rows for \"{site}\"; remove one.");
            else rows.Add(new SiteRow(site, Cells(row)));
        }

        return new TypePolicy
        {
            Type = name,
            Admission = Admission(fields),
            Backoff = Backoff(fields),
            Default = Default(fields),
            Rows = rows
        };
    }

    /// <summary>
    /// A row, with what it says for hot participants: of schema 3,
    /// because what knows only earlier ones would leave that out.
    /// </summary>
    private PolicyCells Cells(JsonFields fields)
    {
        var cells = OwnCells(fields);
        if (fields.Get(
            "heat", JsonTokenType.StartObject,
            "an object: the cells of the row while the participant is hot") is not { } heat)
            return cells;
        if (schema < 3)
            problems.Add(
                heat.Offset,
                fields.At("heat"),
                $"Is not of schema {schema}; write \"schema\": 3 at the top for rows of hot participants.");
        return cells with { Heat = OwnCells(new JsonFields(heat, fields.At("heat"), CellFields, problems)) };
    }

    private PolicyCells OwnCells(JsonFields fields)
    {
        var holders = Holders(fields);
        return new PolicyCells
        {
            Read = fields.OneOf("read", ReadVersion.Clean, ("clean", ReadVersion.Clean), ("dirty", ReadVersion.Dirty)),
            Write = fields.OneOf(
                "write", WriteVisibility.Private, ("private", WriteVisibility.Private),
                ("public", WriteVisibility.Public)),
            EarlyValidation = fields.Bool("earlyValidation"),
            WaitForHolders = holders.Wait,
            HoldersByType = holders.ByType,
            Conflict = Conflict(fields),
            Waits = Waits(fields),
            WaitsOff = fields.Bool("waitsOff"),
        };
    }

    private (bool Wait, bool ByType) Holders(JsonFields fields)
    {
        if (fields.Get("waitForHolders") is not { Kind: JsonTokenType.String } place)
            return (fields.Bool("waitForHolders"), false);
        if (place.Text != PolicyWriter.ByType)
            problems.Add(
                place.Offset,
                fields.At("waitForHolders"),
                $"Is \"{place.Text}\"; write true, false or \"{PolicyWriter.ByType}\".");
        else if (schema < 4)
            problems.Add(
                place.Offset,
                fields.At("waitForHolders"),
                $"Is not of schema {schema}; write \"schema\": 4 at the top for \"{PolicyWriter.ByType}\".");
        return (true, true);
    }

    private HolderConflict Conflict(JsonFields fields)
    {
        if (fields.Get("conflict") is { } place && schema < 4)
            problems.Add(
                place.Offset,
                fields.At("conflict"),
                $"Is not of schema {schema}; write \"schema\": 4 at the top for how conflicts are decided.");
        return fields.OneOf(
            "conflict", HolderConflict.Wait, ("wait", HolderConflict.Wait), ("die", HolderConflict.Die),
            ("wound", HolderConflict.Wound));
    }

    private PolicyWaits Waits(JsonFields fields)
    {
        if (fields.Get("waits", JsonTokenType.StartObject, "an object: a cell per transaction type") is not { } place)
            return PolicyWaits.None;
        var rest = WaitCell.No;
        var cells = new Dictionary<string, WaitCell>(StringComparer.Ordinal);
        foreach (var (name, offset, value) in place.Members)
        {
            var path = $"{fields.At("waits")}.{name}";
            if (!cells.TryAdd(name, WaitCell.No)) problems.Add(offset, path, "Is there twice; remove one.");
            else if (name == PolicyWaits.RestName) rest = RestCell(value, path);
            else if (catalogue.Find(name) is { } type) cells[name] = Cell(value, path, type);
            else UnknownType(offset, path, name);
        }

        cells.Remove(PolicyWaits.RestName);
        return new PolicyWaits(rest, cells);
    }

    private WaitCell Cell(JsonPlace value, string path, CatalogueType type)
    {
        if (value.Kind == JsonTokenType.String)
        {
            var cell = WaitCell.Parse(value.Text);
            if (cell.Until != WaitUntil.Site || type.PositionOf(value.Text) >= 0) return cell;
            UnknownSite(value.Offset, path, type, value.Text, ", or \"sealed\" or \"no\"");
        }
        else if (value.Kind == JsonTokenType.Number)
        {
            var hint = int.TryParse(value.Text, NumberStyles.None, CultureInfo.InvariantCulture, out var k) && k >= 1
                && k <= type.Sites.Count
                ? $"write its name, \"{type.Sites[k - 1].Name}\""
                : $"and {value.Text} is out of range: \"{type.Name}\" has {type.Sites.Count} sites";
            problems.Add(value.Offset, path, $"A wait names its site, {hint}.");
        }
        else
        {
            problems.Add(
                value.Offset,
                path,
                $"Is {value.Noun}; write the name of a site of \"{type.Name}\", \"sealed\" or \"no\".");
        }

        return WaitCell.No;
    }

    private WaitCell RestCell(JsonPlace value, string path)
    {
        var cell = value.Kind == JsonTokenType.String ? WaitCell.Parse(value.Text) : WaitCell.For("");
        if (cell.Until != WaitUntil.Site) return cell;
        problems.Add(value.Offset, path, "All other types have different sites; write \"sealed\" or \"no\".");
        return WaitCell.No;
    }

    private IEnumerable<int> Multipliers(JsonFields fields, string name)
    {
        var place = fields.Get(name);
        var values = place?.Kind == JsonTokenType.StartArray ? place.Items : [];
        if (values.Count == 3
            && values.TrueForAll(v => v.Kind == JsonTokenType.Number && v.Text is "0" or "1" or "2" or "4" or "8"))
            return values.Select(v => v.Text[0] - '0');
        problems.Add(
            (place ?? fields.Place).Offset,
            fields.At(name),
            "Write three multipliers out of 0, 1, 2, 4 and 8: for 0, 1 and at least 2 prior aborts.");
        return [1, 1, 1];
    }

    private void UnknownType(int offset, string path, string name) => problems.Add(
        offset, path, catalogue.Types.Count == 0
            ? $"There is no type \"{name}\", because the file has no catalogue; add one that lists the types and "
                + "their sites."
            : $"There is no type \"{name}\" in the catalogue. It lists: "
                + $"{string.Join(", ", catalogue.Types.Select(t => t.Name))}.");

    private void UnknownSite(int offset, string path, CatalogueType type, string name, string orElse = "") =>
        problems.Add(
            offset, path,
            $"\"{type.Name}\" has no site \"{name}\". Its sites: "
            + $"{string.Join(", ", type.Sites.Select(s => $"\"{s.Name}\""))}{orElse}.");
}
