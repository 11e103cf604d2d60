namespace Polyjuice.Policies;

/// <summary>Reads the site catalogue of a policy file.</summary>
internal static class CatalogueReader
{
    private static readonly string[] Fields = ["version", "types"];
    private static readonly string[] TypeFields = ["type", "sites"];
    private static readonly string[] SiteFields = ["site", "state", "kind", "loop"];

    public static SiteCatalogue Read(JsonFields document, ProblemList problems)
    {
        if (document.Get("catalogue") is not { } place) return SiteCatalogue.Empty;
        var fields = new JsonFields(place, "catalogue", Fields, problems);
        var types = new List<CatalogueType>();
        foreach (var (item, path) in fields.Items("types"))
        {
            var type = Type(new JsonFields(item, path, TypeFields, problems), problems);
            if (types.Exists(t => t.Name == type.Name))
                problems.Add(item.Offset, $"{path}.type", $"\"{type.Name}\" is there twice; remove one.");
            else types.Add(type);
        }

        if (fields.Get("version") is null)
            problems.Add(
                place.Offset, "catalogue.version",
                "Is missing; write 1, and a higher number whenever the order of the sites changes.");
        return new SiteCatalogue { Version = fields.Integer("version", 1) ?? 1, Types = types };
    }

    private static CatalogueType Type(JsonFields fields, ProblemList problems)
    {
        var name = fields.RequiredName("type", "a transaction type");
        if (name == PolicyWaits.RestName)
            problems.Add(
                fields.Place.Offset, fields.At("type"), "\"*\" means all other types; give the type another name.");
        var sites = new List<CatalogueSite>();
        foreach (var (item, path) in fields.Items("sites"))
        {
            var site = Site(new JsonFields(item, path, SiteFields, problems), problems);
            if (sites.Exists(s => s.Name == site.Name))
                problems.Add(item.Offset, $"{path}.site", $"\"{site.Name}\" is there twice; remove one.");
            else sites.Add(site);
        }

        // Wait cells are 16 bits wide, and the two ends have meanings of their own.
        if (sites.Count >= PolicyTable.UntilSealed)
            problems.Add(
                fields.Place.Offset,
                fields.At("sites"),
                $"More than {PolicyTable.UntilSealed - 1} sites; split the type.");
        return new CatalogueType { Name = name, Sites = sites };
    }

    private static CatalogueSite Site(JsonFields fields, ProblemList problems)
    {
        var name = fields.RequiredName("site", "an access site");
        if (name is WaitCell.NoText or WaitCell.SealedText)
            problems.Add(
                fields.Place.Offset,
                fields.At("site"),
                $"\"{name}\" has a meaning of its own in wait cells; give the site another name.");
        if (fields.Get("kind") is null)
            problems.Add(fields.Place.Offset, fields.At("kind"), "Is missing; write \"read\" or \"update\".");
        return new CatalogueSite(
            name,
            fields.RequiredName("state", "the state that the site accesses"),
            fields.OneOf("kind", AccessKind.Read, ("read", AccessKind.Read), ("update", AccessKind.Update)),
            fields.Bool("loop"));
    }
}
