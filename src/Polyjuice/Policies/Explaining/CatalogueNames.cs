namespace Polyjuice.Policies;

/// <summary>
/// What types, states and sites of a catalogue are called in sentences: as short as tells them apart.
/// </summary>
internal sealed class CatalogueNames(SiteCatalogue catalogue)
{
    /// <summary>So many states are named of a group of sites.</summary>
    private const int StatesMax = 4;

    private readonly Dictionary<string, string> _types = Shortened(catalogue.Types.Select(type => type.Name));
    private readonly Dictionary<string, string> _states =
        Shortened(catalogue.Types.SelectMany(type => type.Sites).Select(site => site.State));

    /// <summary>A type: its method, unless another type has one of that name.</summary>
    public string Type(string type) => _types.GetValueOrDefault(type, type);

    /// <summary>A state without its grain's class, unless another class has one of that name.</summary>
    public string State(string state) => _states.GetValueOrDefault(state, state);

    /// <summary>A site within a sentence: "site 2 (balance update)".</summary>
    public string Site(CatalogueType type, int position)
    {
        var site = type.Sites[position];
        return $"site {position + 1} ({State(site.State)} {(site.Kind == AccessKind.Read ? "read" : "update")})";
    }

    /// <summary>Sites at the start of a sentence: "Site 2 (balance update)", "Sites 2–4 (balance, log)".</summary>
    public string Sites(CatalogueType type, IReadOnlyList<int> positions)
    {
        if (positions.Count == 1) return "S" + Site(type, positions[0])[1..];
        var states = positions.Select(position => State(type.Sites[position].State)).Distinct().ToList();
        var shown = string.Join(", ", states.Take(StatesMax)) + (states.Count > StatesMax ? ", …" : "");
        return $"Sites {Enumeration.Ranges([.. positions.Select(position => position + 1)])} ({shown})";
    }

    private static Dictionary<string, string> Shortened(IEnumerable<string> all)
    {
        var names = all.Distinct(StringComparer.Ordinal).ToList();
        var uses = names.CountBy(Short, StringComparer.Ordinal).ToDictionary(StringComparer.Ordinal);
        return names.ToDictionary(name => name, name =>
            uses[Short(name)] == 1 ? Short(name) : name, StringComparer.Ordinal);
    }

    private static string Short(string name) => name[(name.LastIndexOf('.') + 1)..];
}
