namespace Polyjuice.Policies;

/// <summary>Spells policies out over sites that need not be their own.</summary>
internal static class PolicySpelling
{
    /// <summary>A policy with a row for each site of a catalogue, behind those of its own.</summary>
    /// <param name="document">The policy.</param>
    /// <param name="catalogue">The sites.</param>
    public static PolicyDocument Over(PolicyDocument document, SiteCatalogue catalogue)
    {
        ArgumentNullException.ThrowIfNull(document);
        ArgumentNullException.ThrowIfNull(catalogue);
        return new DocumentPolicy(document with { Catalogue = Joined(document.Catalogue, catalogue) }).Materialize();
    }

    private static SiteCatalogue Joined(SiteCatalogue own, SiteCatalogue other) => own with
    {
        Types =
        [
            .. own.Types.Select(type => other.Find(type.Name) is { } same
                ? type with { Sites = [.. type.Sites, .. same.Sites.Where(site => type.PositionOf(site.Name) < 0)] }
                : type),
            .. other.Types.Where(type => own.Find(type.Name) is null),
        ],
    };
}
