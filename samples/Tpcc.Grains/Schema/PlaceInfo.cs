using Orleans;

namespace Tpcc.Schema;

/// <summary>What never changes about a warehouse or a district.</summary>
[GenerateSerializer]
[Immutable]
public sealed class PlaceInfo
{
    /// <summary>6 to 10 characters.</summary>
    [Id(0)]
    public string Name { get; init; } = "";

    /// <summary>Where it is.</summary>
    [Id(1)]
    public Address Address { get; init; } = new();

    /// <summary>The sales tax in hundredths of a percent: 0 to 2,000.</summary>
    [Id(2)]
    public int TaxBasisPoints { get; init; }
}
