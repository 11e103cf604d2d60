namespace Polyjuice.Policies;

/// <summary>Where transactions of two types can meet in conflict, by a catalogue.</summary>
internal static class Conflicts
{
    /// <summary>Those of a type's sites before a site that are in conflict with any of another type.</summary>
    /// <param name="type">The type.</param>
    /// <param name="position">The site; one in a loop comes before itself.</param>
    /// <param name="other">The other type.</param>
    public static IEnumerable<CatalogueSite> Before(CatalogueType type, int position, CatalogueType other) =>
        type.Sites.Take(type.Sites[position].Loop ? position + 1 : position).Where(site => Meets(site, other.Sites));

    /// <summary>Those of a type's sites from a site on that are in conflict with another type's first sites.</summary>
    /// <param name="type">The type.</param>
    /// <param name="position">The site.</param>
    /// <param name="other">The other type.</param>
    /// <param name="finished">How many sites of that count.</param>
    public static IEnumerable<CatalogueSite> From(CatalogueType type, int position, CatalogueType other,
        int finished) =>
        type.Sites.Skip(position).Where(site => Meets(site, other.Sites.Take(finished)));

    /// <summary>Whether a site is in conflict with any of others: of the same state, and not both reads.</summary>
    public static bool Meets(CatalogueSite site, IEnumerable<CatalogueSite> others) =>
        others.Any(other => SiteConflict.Between(site.State, site.Kind, other.State, other.Kind));
}
