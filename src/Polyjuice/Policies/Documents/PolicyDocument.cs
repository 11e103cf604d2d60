namespace Polyjuice.Policies;

/// <summary>
/// A policy as its file says it (<c>docs/reference/tables.md</c>): rows by the names of access sites, independent of
/// what sites a process has seen. Immutable; compares by value. <see cref="PolicyReader"/> reads it,
/// <see cref="PolicyWriter"/> writes it, <see cref="DocumentPolicy"/> compiles it.
/// </summary>
internal sealed record PolicyDocument
{
    /// <summary>The latest schema version that this build reads and writes. Earlier ones are read as well.</summary>
    public const int CurrentSchema = 4;

    /// <summary>The policy's name.</summary>
    public required string Name { get; init; }

    /// <summary>What it is for, in a sentence or two.</summary>
    public string Description { get; init; } = "";

    /// <summary>
    /// The name of the rule that gives the rows which the document does not spell out (<see cref="PolicyRules"/>), or
    /// <see langword="null"/> for none, which is the same as <c>uniform</c>: the default rows.
    /// </summary>
    public string? Rule { get; init; }

    /// <summary>
    /// For a rule that treats types in groups (<c>callas</c>): which belong together. Types that no group names, and
    /// all of them when there are none, are grouped by the rule. Each type is in one group at the most.
    /// </summary>
    public IReadOnlyList<TypeGroup> Groups { get; init => field = ValueList.Of(value); } = ValueList<TypeGroup>.Empty;

    /// <summary>Where the policy came from: free-form names and values, in the file's order.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Provenance
    {
        get;
        init => field = ValueList.Of(value);
    } = ValueList<KeyValuePair<string, string>>.Empty;

    /// <summary>
    /// The artifact's transaction buffer size, which this system has no use
    /// for and keeps so that an imported file can be exported as it was.
    /// </summary>
    public int? ArtifactBufferSize { get; init; }

    /// <summary>The order of the sites.</summary>
    public SiteCatalogue Catalogue { get; init; } = SiteCatalogue.Empty;

    /// <summary>
    /// The row of every access that nothing more specific names; <see langword="null"/>
    /// leaves it to the rule, then to <see cref="PolicyCells.Plain"/>.
    /// </summary>
    public PolicyCells? Default { get; init; }

    /// <summary>
    /// How transactions of types are let in of which no more is said;
    /// <see langword="null"/> means <see cref="PolicyAdmission.Run"/>.
    /// </summary>
    public PolicyAdmission? Admission { get; init; }

    /// <summary>
    /// The backoff of types without their own; <see langword="null"/> means <see cref="PolicyBackoff.Binary"/>.
    /// </summary>
    public PolicyBackoff? Backoff { get; init; }

    /// <summary>What is said of single types, each at most once.</summary>
    public IReadOnlyList<TypePolicy> Types { get; init => field = ValueList.Of(value); } = ValueList<TypePolicy>.Empty;

    /// <summary>What is said of a type, or <see langword="null"/>.</summary>
    public TypePolicy? Find(string type) =>
        Types.FirstOrDefault(t => string.Equals(t.Type, type, StringComparison.Ordinal));

    /// <summary>What it says of a site itself, without its rule: the most specific row.</summary>
    /// <param name="type">The transaction type's name.</param>
    /// <param name="site">The site's name.</param>
    public PolicyCells RowOf(string type, string site)
    {
        var policy = Find(type);
        return policy?.Find(site) ?? policy?.Default ?? Default ?? PolicyCells.Plain;
    }

    /// <summary>The backoff of a type.</summary>
    public PolicyBackoff BackoffOf(string type) => Find(type)?.Backoff ?? Backoff ?? PolicyBackoff.Binary;

    /// <summary>
    /// How transactions of a type are let in; of one that is not known yet, when it is <see langword="null"/>.
    /// </summary>
    public PolicyAdmission AdmissionOf(string? type) =>
        (type is null ? null : Find(type)?.Admission) ?? Admission ?? PolicyAdmission.Run;

    /// <summary>The least schema version that can say it: what older builds understand is written as they do.</summary>
    public int Schema => Groups.Count > 0 || AllCells.Any(IsOfSchema4) ? 4 : HasHeat ? 3 : HasAdmissions ? 2 : 1;

    /// <summary>Whether any row says something else for hot participants.</summary>
    public bool HasHeat => AllCells.Any(cells => cells.Heat is not null);

    /// <summary>Of all rows, without those for hot participants.</summary>
    internal IEnumerable<PolicyCells> AllCells =>
        new[]
        {
            Default
        }.Concat(Types.SelectMany(type => type.Rows.Select(PolicyCells? (row) => row.Cells).Append(type.Default)))
            .OfType<PolicyCells>();

    private static bool IsOfSchema4(PolicyCells cells) =>
        cells.Conflict != HolderConflict.Wait || cells is { HoldersByType: true, WaitForHolders: true }
            || (cells.Heat is { } heat && IsOfSchema4(heat));

    private bool HasAdmissions =>
        Admission is not null || Types.Any(type => type.Admission is not (null or PolicyAdmission.Run));
}

/// <summary>How a transaction type's transactions are let in.</summary>
internal enum PolicyAdmission : byte
{
    /// <summary>They run at once.</summary>
    Run,

    /// <summary>Their body is run dry first, which activates and loads what it needs.</summary>
    DryRun,

    /// <summary>
    /// The same; and then what the dry run accessed is reserved, in one global order, before they run.
    /// </summary>
    DryRunReserve,

    /// <summary>The access set that the request declares is reserved before they run, without a dry run.</summary>
    DeclaredReserve,

    /// <summary>One of the first three, by a rule that watches the type (<c>docs/reference/tables.md</c>).</summary>
    Auto,
}

/// <summary>Transaction types that a rule treats alike.</summary>
internal sealed record TypeGroup
{
    /// <summary>Their names.</summary>
    public required IReadOnlyList<string> Types { get; init => field = ValueList.Of(value); }
}

/// <summary>What a document says of one transaction type.</summary>
internal sealed record TypePolicy
{
    /// <summary>The type's name.</summary>
    public required string Type { get; init; }

    /// <summary>How its transactions are let in; <see langword="null"/> leaves it to the document.</summary>
    public PolicyAdmission? Admission { get; init; }

    /// <summary>Its backoff; <see langword="null"/> leaves it to the document.</summary>
    public PolicyBackoff? Backoff { get; init; }

    /// <summary>
    /// The row of its accesses that have none; <see langword="null"/>
    /// leaves it to the rule, then to the document's default.
    /// </summary>
    public PolicyCells? Default { get; init; }

    /// <summary>Rows, each site at most once.</summary>
    public IReadOnlyList<SiteRow> Rows { get; init => field = ValueList.Of(value); } = ValueList<SiteRow>.Empty;

    /// <summary>The row of a site, or <see langword="null"/>.</summary>
    public PolicyCells? Find(string site) =>
        Rows.FirstOrDefault(r => string.Equals(r.Site, site, StringComparison.Ordinal))?.Cells;
}

/// <summary>One row of a document.</summary>
/// <param name="Site">The site's name within its type.</param>
/// <param name="Cells">What an access there does.</param>
internal sealed record SiteRow(string Site, PolicyCells Cells);
