namespace Polyjuice.Policies;

/// <summary>
/// The order of every transaction type's access sites. A site's place among its type's sites, from 0, is its position
/// (the paper's access id); a wait for the site at position p ends when the dependency has finished its first p + 1
/// sites.
/// </summary>
internal sealed record SiteCatalogue
{
    /// <summary>Nothing is known.</summary>
    public static readonly SiteCatalogue Empty = new();

    /// <summary>
    /// Grows whenever an edit changes the order, so that two files
    /// can be told apart. From 1; 0 means that there is none.
    /// </summary>
    public int Version { get; init; }

    /// <summary>The types, each once.</summary>
    public IReadOnlyList<CatalogueType> Types
    {
        get;
        init => field = ValueList.Of(value);
    } = ValueList<CatalogueType>.Empty;

    /// <summary>The type with that name, or <see langword="null"/>.</summary>
    public CatalogueType? Find(string type) =>
        Types.FirstOrDefault(t => string.Equals(t.Name, type, StringComparison.Ordinal));
}

/// <summary>One transaction type of a catalogue.</summary>
internal sealed record CatalogueType
{
    /// <summary>The type's name.</summary>
    public required string Name { get; init; }

    /// <summary>Its sites in order, each name once.</summary>
    public IReadOnlyList<CatalogueSite> Sites
    {
        get;
        init => field = ValueList.Of(value);
    } = ValueList<CatalogueSite>.Empty;

    /// <summary>The site's position, or −1.</summary>
    public int PositionOf(string site)
    {
        for (var i = 0; i < Sites.Count; i++)
        {
            if (string.Equals(Sites[i].Name, site, StringComparison.Ordinal)) return i;
        }

        return -1;
    }
}

/// <summary>One access site of a catalogue.</summary>
/// <param name="Name">Its name within its type; see <see cref="SiteKey.Name"/>.</param>
/// <param name="State">What it accesses: sites that name the same state can conflict.</param>
/// <param name="Kind">Read or update.</param>
/// <param name="Loop">Whether one transaction can pass it more than once, or in parallel.</param>
internal sealed record CatalogueSite(string Name, string State, AccessKind Kind, bool Loop = false);
