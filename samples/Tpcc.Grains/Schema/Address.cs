using Orleans;

namespace Tpcc.Schema;

/// <summary>An address. Never changes.</summary>
[GenerateSerializer]
[Immutable]
public sealed class Address
{
    /// <summary>First line, 10 to 20 characters.</summary>
    [Id(0)]
    public string Street1 { get; init; } = "";

    /// <summary>Second line, 10 to 20 characters.</summary>
    [Id(1)]
    public string Street2 { get; init; } = "";

    /// <summary>10 to 20 characters.</summary>
    [Id(2)]
    public string City { get; init; } = "";

    /// <summary>Two letters.</summary>
    [Id(3)]
    public string State { get; init; } = "";

    /// <summary>Nine digits.</summary>
    [Id(4)]
    public string Zip { get; init; } = "";
}
