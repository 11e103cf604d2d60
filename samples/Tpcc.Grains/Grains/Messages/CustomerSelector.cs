using Orleans;

namespace Tpcc.Grains.Messages;

/// <summary>A customer by number or, as 60% of customers are found, by last name.</summary>
[GenerateSerializer]
[Immutable]
public sealed class CustomerSelector
{
    /// <summary>C_W_ID.</summary>
    [Id(0)]
    public int Warehouse { get; init; }

    /// <summary>C_D_ID.</summary>
    [Id(1)]
    public int District { get; init; }

    /// <summary>C_ID, if <see cref="Last"/> is <see langword="null"/>.</summary>
    [Id(2)]
    public int Id { get; init; }

    /// <summary>C_LAST.</summary>
    [Id(3)]
    public string? Last { get; init; }
}
