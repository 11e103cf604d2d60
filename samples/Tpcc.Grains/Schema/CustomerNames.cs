using System.Collections.Immutable;
using Orleans;

namespace Tpcc.Schema;

/// <summary>
/// The index of a district's customers by last name. Never changes after loading, because names do not.
/// </summary>
[GenerateSerializer]
public sealed class CustomerNames
{
    /// <summary>By last name, the customers in the order of their first names.</summary>
    [Id(0)]
    public ImmutableDictionary<string, ImmutableArray<int>> ByLastName { get; set; } =
        ImmutableDictionary<string, ImmutableArray<int>>.Empty;
}
