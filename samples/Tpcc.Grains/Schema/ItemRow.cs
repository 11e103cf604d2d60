using System.Collections.Immutable;
using Orleans;

namespace Tpcc.Schema;

/// <summary>A row of ITEM.</summary>
[GenerateSerializer]
[Immutable]
public sealed class ItemRow
{
    /// <summary>What I_DATA and S_DATA contain for a brand ("B") item.</summary>
    public const string Original = "ORIGINAL";

    /// <summary>I_NAME, 14 to 24 characters.</summary>
    [Id(0)]
    public string Name { get; init; } = "";

    /// <summary>I_PRICE, in cents.</summary>
    [Id(1)]
    public int PriceCents { get; init; }

    /// <summary>I_DATA, 26 to 50 characters.</summary>
    [Id(2)]
    public string Data { get; init; } = "";
}

/// <summary>The rows of ITEM whose numbers follow each other. Never changes after loading.</summary>
[GenerateSerializer]
public sealed class ItemPage
{
    /// <summary>The rows, in the order of their numbers.</summary>
    [Id(0)]
    public ImmutableArray<ItemRow> Items { get; set; } = [];
}
