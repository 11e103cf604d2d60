namespace Polyjuice.Policies;

/// <summary>
/// The policies that come with the library: <c>policies/*.json</c>, which apply to any workload by rule. What each
/// expresses of the paper's Table 1, and what it cannot, is in <c>docs/reference/tables.md</c>; in short, with the
/// table's columns read wait, read version, write wait, write visibility, early validation (the validation method is
/// the engine's under every policy):
/// <list type="bullet">
/// <item><c>occ</c>: no, latest committed, no, no, no. OCC and
/// TicToc, which differ in the validation method only.</item>
/// <item><c>2pl-star</c>: until T_dep commits, latest committed, until T_dep
/// commits, yes, yes. All of it is expressed ("commits" is "is sealed").</item>
/// <item><c>ic3</c>: see <see cref="Ic3Rule"/>; IC3, Callas RP and DRP share the row.</item>
/// <item><c>sundial</c>, <c>mvtso</c>: see <see cref="KindRule"/>; both approximate.</item>
/// <item><c>locking</c>: not in the table, because its waits cover dependencies
/// only; what 2PL does with locks, and Orleans' transactions do.</item>
/// <item><c>2pl-wait-die</c>, <c>2pl-wound-wait</c>: the same, but age decides
/// every conflict at once, so that there is no cycle to be looked for.</item>
/// <item><c>callas</c>: see <see cref="CallasRule"/>; <c>ic3</c> within groups of types and locks between them.
/// Tebaldi's three layers in the paper's evaluation.</item>
/// <item><c>ic3-eager</c>: not in the table; <c>ic3</c> that
/// exposes after each access and validates at commit only.</item>
/// <item><c>dirty-public</c>: not in the table; no, latest
/// uncommitted, no, yes, no: hands hot states on at once.</item>
/// <item><c>cormcc</c>: not in the table, which does not look at the data; <c>occ</c>, and <c>locking</c> at hot
/// participants, after CormCC (ATC'18).</item>
/// <item><c>reserve</c>, <c>auto</c>: not in the table, which has
/// no admission; after Eldeeb's thesis, §2.6 and §4.7.</item>
/// </list>
/// </summary>
internal static class BuiltinPolicies
{
    private const string Prefix = "policies/";

    /// <summary>
    /// Other names for the same table: Table 1 gives these algorithms one row, or this engine cannot tell them apart.
    /// </summary>
    private static readonly Dictionary<string, string> Aliases = new(StringComparer.Ordinal)
    {
        ["silo"] = "occ",
        ["tictoc"] = "occ",
        ["callas-rp"] = "ic3",
        ["tebaldi"] = "callas",
        ["drp"] = "ic3",
    };

    private static readonly Lazy<IReadOnlyList<DocumentPolicy>> Loaded = new(Load);

    /// <summary>All of them, in the order of their names.</summary>
    public static IReadOnlyList<DocumentPolicy> All => Loaded.Value;

    /// <summary>
    /// Those that stay what they are, whatever the load does: all but <see cref="PolicyRules.Chosen"/>. A search begins
    /// with them.
    /// </summary>
    public static IReadOnlyList<DocumentPolicy> Fixed =>
        [.. All.Where(policy => policy.Document.Rule != PolicyRules.Chosen)];

    /// <summary>Their names.</summary>
    public static IReadOnlyList<string> Names => [.. All.Select(policy => policy.Name)];

    /// <summary>The one with that name, or with that other name ("tictoc" is "occ").</summary>
    /// <exception cref="ArgumentException">There is none; the message lists the valid names.</exception>
    public static DocumentPolicy Get(string name) => Find(name)
        ?? throw new ArgumentException(
            $"There is no built-in policy \"{name}\". Valid: {string.Join(", ", Names)}; and by other names: "
            + $"{string.Join(", ", Aliases.Select(a => $"{a.Key} ({a.Value})"))}.",
            nameof(name));

    /// <summary>The one with that name, or <see langword="null"/>.</summary>
    public static DocumentPolicy? Find(string name)
    {
        var canonical = Aliases.GetValueOrDefault(name, name);
        return All.FirstOrDefault(policy => string.Equals(policy.Name, canonical, StringComparison.Ordinal));
    }

    private static IReadOnlyList<DocumentPolicy> Load()
    {
        var assembly = typeof(BuiltinPolicies).Assembly;
        var policies = new List<DocumentPolicy>();
        foreach (var resource in assembly.GetManifestResourceNames()
            .Where(name => name.StartsWith(Prefix, StringComparison.Ordinal)))
        {
            using var stream = assembly.GetManifestResourceStream(resource)!;
            using var bytes = new MemoryStream();
            stream.CopyTo(bytes);
            policies.Add(new DocumentPolicy(PolicyReader.Parse(bytes.ToArray(), resource)));
        }

        return [.. policies.OrderBy(policy => policy.Name, StringComparer.Ordinal)];
    }
}
