namespace Polyjuice.Policies;

/// <summary>The wait cells of one row, sparse: a cell per transaction type that differs from the rest.</summary>
internal sealed record PolicyWaits
{
    /// <summary>How policy files name the rest.</summary>
    public const string RestName = "*";

    /// <summary>Waits for nobody.</summary>
    public static readonly PolicyWaits None = new(WaitCell.No);

    /// <summary>Waits until every dependency is sealed or aborted.</summary>
    public static readonly PolicyWaits AllSealed = new(WaitCell.Sealed);

    /// <summary>Cells for the named types, and one for all others.</summary>
    /// <param name="rest">For types that are not named. A type's sites differ, so it never names a site.</param>
    /// <param name="byType">
    /// Each type at most once. Cells equal to <paramref name="rest"/> are dropped, and the order is normalised.
    /// </param>
    public PolicyWaits(WaitCell rest, IEnumerable<KeyValuePair<string, WaitCell>>? byType = null)
    {
        if (rest.Until == WaitUntil.Site)
            throw new ArgumentException(
                "The rest cannot wait for a site, because every type has its own.", nameof(rest));
        Rest = rest;
        ByType = ValueList.Of(
            (byType ?? []).Where(cell => cell.Value != rest).OrderBy(cell => cell.Key, StringComparer.Ordinal));
    }

    /// <summary>The cell of every type that <see cref="ByType"/> does not name.</summary>
    public WaitCell Rest { get; }

    /// <summary>The cells that differ from <see cref="Rest"/>, in ordinal order of their types.</summary>
    public IReadOnlyList<KeyValuePair<string, WaitCell>> ByType { get; }

    /// <summary>The cell for dependencies of a type.</summary>
    public WaitCell this[string type]
    {
        get
        {
            foreach (var (name, cell) in ByType)
            {
                if (string.Equals(name, type, StringComparison.Ordinal)) return cell;
            }

            return Rest;
        }
    }
}
