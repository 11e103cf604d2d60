namespace Polyjuice.Policies;

/// <summary>
/// Which row is in force at a site: the most specific that the document
/// gives, with its rule between the types' defaults and its own.
/// </summary>
internal sealed class EffectiveRows(PolicyDocument document, IPolicyRule? rule, WorkloadShape workload)
{
    private readonly Func<ShapeType, ShapeSite, PolicyCells>? _generated = rule?.RowsFor(workload, document.Groups);

    public PolicyCells Of(ShapeType type, ShapeSite site)
    {
        var policy = document.Find(type.Name);
        return policy?.Find(site.Name) ?? policy?.Default ?? _generated?.Invoke(type, site) ?? DefaultOf(null);
    }

    /// <summary>The row of sites that nobody has seen yet.</summary>
    public PolicyCells DefaultOf(string? type) =>
        (type is null ? null : document.Find(type)?.Default) ?? document.Default ?? PolicyCells.Plain;
}
