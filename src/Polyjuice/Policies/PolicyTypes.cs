namespace Polyjuice.Policies;

/// <summary>The transaction types that policies name.</summary>
internal static class PolicyTypes
{
    /// <summary>
    /// All types that a document names, each once: in its catalogue, its rows, its waits or its groups.
    /// </summary>
    /// <param name="document">The document.</param>
    public static IReadOnlyList<string> NamedBy(PolicyDocument document)
    {
        ArgumentNullException.ThrowIfNull(document);
        return
        [
            .. document.Catalogue.Types.Select(static type => type.Name)
                .Concat(document.Types.Select(static type => type.Type))
                .Concat(document.Groups.SelectMany(static group => group.Types))
                .Concat(document.AllCells.SelectMany(WaitedFor))
                .Distinct(StringComparer.Ordinal),
        ];
    }

    /// <summary>
    /// The types that a policy names and nobody can start, in the policy's order. What is no document names none.
    /// </summary>
    /// <param name="policy">The policy.</param>
    /// <param name="known">What can be started.</param>
    public static IReadOnlyList<UnknownType> UnknownIn(IPolicyCompiler policy, ITransactionTypes known)
    {
        ArgumentNullException.ThrowIfNull(known);
        if (policy is not DocumentPolicy { Document: var document }) return [];
        return
        [
            .. NamedBy(document).Where(type => !known.Has(type))
                .Select(type => new UnknownType(type, NearestName.Of(type, known.Names))),
        ];
    }

    private static IEnumerable<string> WaitedFor(PolicyCells cells)
    {
        var own = cells.Waits.ByType.Select(static wait => wait.Key);
        return cells.Heat is { } heat ? own.Concat(WaitedFor(heat)) : own;
    }
}
