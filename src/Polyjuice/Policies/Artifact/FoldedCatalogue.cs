namespace Polyjuice.Policies.Artifact;

/// <summary>
/// The access sites of an application that does what one of the artifact's workloads does, and which of the artifact's
/// rows each stands for. Grains read and write a row in one update where the artifact has two accesses, and keep in one
/// state what it keeps in several tables; so several rows fold into one site.
/// </summary>
/// <param name="workload">The artifact's workload; see <see cref="ArtifactWorkloads.Names"/>.</param>
/// <param name="types">Its types, each of them once.</param>
internal sealed class FoldedCatalogue(string workload, params IReadOnlyList<FoldedType> types)
{
    /// <summary>The artifact's workload.</summary>
    public string Workload { get; } = workload;

    /// <summary>The types.</summary>
    public IReadOnlyList<FoldedType> Types { get; } = types;

    /// <summary>The application's catalogue.</summary>
    public SiteCatalogue Catalogue { get; } = new()
    {
        Version = 1,
        Types =
        [
            .. types.Select(
                type => new CatalogueType { Name = type.Type, Sites = [.. type.Sites.Select(site => site.Site)] })
        ],
    };

    /// <summary>
    /// Folds a document over the artifact's catalogue onto the application's. A site reads as the first of its rows,
    /// exposes and validates early as the last of them, and waits for what any of them waits for. Where a row waits
    /// until a dependency is past the artifact's access k, the site waits until it is past the last site that stands
    /// for any of its accesses 1 to k.
    /// </summary>
    /// <exception cref="ArgumentException">The document is not over the workload's catalogue.</exception>
    public PolicyDocument Fold(PolicyDocument document)
    {
        if (document.Catalogue != ArtifactWorkloads.Get(Workload))
            throw new ArgumentException(
                $"The policy is not over the accesses of the artifact's workload {Workload}.", nameof(document));
        return document with
        {
            ArtifactBufferSize = null,
            Catalogue = Catalogue,
            Default = PolicyCells.Plain,
            Types = [.. Types.Select(type => Fold(document, type))],
        };
    }

    private TypePolicy Fold(PolicyDocument document, FoldedType type)
    {
        var theirs = document.Find(type.ArtifactType)!;
        return theirs with
        {
            Type = type.Type,
            Rows =
            [
                .. type.Sites.Select(
                    site => new SiteRow(
                        site.Site.Name, Fold(document, [.. site.Rows.Select(row => theirs.Rows[row - 1].Cells)])))
            ],
        };
    }

    private PolicyCells Fold(PolicyDocument document, PolicyCells[] rows) => new()
    {
        Read = rows[0].Read,
        Write = rows[^1].Write,
        EarlyValidation = rows[^1].EarlyValidation,
        WaitForHolders = rows.Any(row => row.WaitForHolders),
        Waits = new PolicyWaits(
            WaitCell.No, Types.Select(type => KeyValuePair.Create(type.Type, Wait(document, type, rows)))),
    };

    /// <summary>The latest of what the rows wait for at dependencies of a type.</summary>
    private static WaitCell Wait(PolicyDocument document, FoldedType type, PolicyCells[] rows)
    {
        var theirs = document.Catalogue.Find(type.ArtifactType)!;
        var last = 0;
        foreach (var cell in rows.Select(row => row.EffectiveWaits[type.ArtifactType]))
        {
            if (cell.Until == WaitUntil.Sealed) return WaitCell.Sealed;
            if (cell.Until == WaitUntil.Site) last = Math.Max(last, theirs.PositionOf(cell.Site!) + 1);
        }

        return last == 0
            ? WaitCell.No
            : WaitCell.For(type.Sites.Last(site => site.Rows.Any(row => row <= last)).Site.Name);
    }
}

/// <summary>One type of a <see cref="FoldedCatalogue"/>.</summary>
/// <param name="ArtifactType">What the artifact's catalogue calls it.</param>
/// <param name="Type">What the application calls it.</param>
/// <param name="Sites">Its sites, in order.</param>
internal sealed record FoldedType(string ArtifactType, string Type, IReadOnlyList<FoldedSite> Sites);

/// <summary>One site of a <see cref="FoldedType"/>.</summary>
/// <param name="Site">The site.</param>
/// <param name="Rows">
/// The rows of the artifact's type that it stands for, from 1, in ascending order; at least one.
/// </param>
internal sealed record FoldedSite(CatalogueSite Site, IReadOnlyList<int> Rows);
