namespace Polyjuice.Policies;

/// <summary>A table that another one is compared with.</summary>
internal sealed class ComparedTable
{
    private readonly HashSet<string> _same;

    /// <summary>Compares.</summary>
    /// <param name="own">The table that is explained.</param>
    /// <param name="table">The other one, over the same sites.</param>
    public ComparedTable(SpelledTable own, SpelledTable table)
    {
        Table = table;
        var same = own.Types.Where(type => SiteFacts.IsSame(own, table, type)).Select(type => type.Name);
        _same = same.ToHashSet(StringComparer.Ordinal);
        IsSameEverywhere = _same.Count == own.Types.Count;
    }

    /// <summary>The other one.</summary>
    public SpelledTable Table { get; }

    /// <summary>Its name.</summary>
    public string Name => Table.Name;

    /// <summary>Whether both do the same of all types.</summary>
    public bool IsSameEverywhere { get; }

    /// <summary>Whether both do the same of a type.</summary>
    public bool IsSame(CatalogueType type) => _same.Contains(type.Name);
}
