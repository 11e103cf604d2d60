namespace Polyjuice.Policies;

/// <summary>
/// What is known of a workload when a policy is compiled: the document's catalogue, and what the registry has seen
/// beyond it. A type that the catalogue lists keeps the catalogue's order;
/// others have their sites in the order in which they were first seen.
/// </summary>
internal sealed class WorkloadShape
{
    private readonly Dictionary<string, ShapeType> _byName;

    private WorkloadShape(List<ShapeType> types)
    {
        Types = types;
        _byName = types.ToDictionary(type => type.Name, StringComparer.Ordinal);
    }

    public IReadOnlyList<ShapeType> Types { get; }

    public ShapeType? Find(string type) => _byName.GetValueOrDefault(type);

    /// <summary>The workload that consists of some of its types.</summary>
    public WorkloadShape Only(IEnumerable<ShapeType> types) => new([.. types]);

    /// <summary>
    /// Merges a catalogue with the types and sites of a registry;
    /// <paramref name="seen"/> must belong to <paramref name="seenTypes"/>.
    /// </summary>
    public static WorkloadShape Of(
        SiteCatalogue catalogue, IReadOnlyList<string> seenTypes, IReadOnlyList<SiteInfo> seen)
    {
        var types = catalogue.Types.Select(type => new ShapeType(type)).ToList();
        var byName = types.ToDictionary(type => type.Name, StringComparer.Ordinal);
        foreach (var name in seenTypes)
        {
            if (byName.ContainsKey(name)) continue;
            var type = new ShapeType(name);
            types.Add(type);
            byName.Add(name, type);
        }

        foreach (var site in seen) byName[site.Key.Type].Saw(site);
        return new WorkloadShape(types);
    }
}

/// <summary>One transaction type of a workload.</summary>
internal sealed class ShapeType
{
    private readonly Dictionary<string, ShapeSite> _byName = new(StringComparer.Ordinal);
    private readonly List<ShapeSite> _sites = [];
    private readonly List<ShapeSite> _unlisted = [];
    private readonly bool _isListed;

    public ShapeType(string name) => Name = name;

    public ShapeType(CatalogueType type)
    {
        Name = type.Name;
        _isListed = true;
        foreach (var site in type.Sites) Add(site.Name, site.State, site.Kind, _sites).Loop = site.Loop;
    }

    public string Name { get; }

    /// <summary>The sites that have a position, in order.</summary>
    public IReadOnlyList<ShapeSite> Sites => _sites;

    /// <summary>
    /// Sites that were seen and that the catalogue lacks although it lists the type. Nobody can tell where they stand.
    /// </summary>
    public IReadOnlyList<ShapeSite> Unlisted => _unlisted;

    public ShapeSite? Find(string site) => _byName.GetValueOrDefault(site);

    /// <summary>Takes in a site of the registry.</summary>
    public void Saw(SiteInfo info)
    {
        var site = Find(info.Key.Name)
            ?? Add(info.Key.Name, info.Key.State, info.Key.Kind, _isListed ? _unlisted : _sites);
        site.Loop |= info.IsRepeated;
    }

    private ShapeSite Add(string name, string state, AccessKind kind, List<ShapeSite> list)
    {
        var site = new ShapeSite(name, state, kind, list == _sites ? list.Count : PolicyTable.UnknownPosition);
        list.Add(site);
        _byName.Add(name, site);
        return site;
    }
}

/// <summary>One access site of a workload.</summary>
internal sealed class ShapeSite(string name, string state, AccessKind kind, int position)
{
    public string Name { get; } = name;

    public string State { get; } = state;

    public AccessKind Kind { get; } = kind;

    /// <summary>Its position in its type, or <see cref="PolicyTable.UnknownPosition"/>.</summary>
    public int Position { get; } = position;

    public bool Loop { get; set; }

    /// <summary>Whether two accesses can be in conflict: of the same state, and not both reads.</summary>
    public bool ConflictsWith(ShapeSite other) => SiteConflict.Between(State, Kind, other.State, other.Kind);
}
