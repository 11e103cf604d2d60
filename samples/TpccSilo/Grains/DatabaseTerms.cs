using Orleans;
using Tpcc.Schema;

namespace TpccSilo.Grains;

/// <summary>How much there is to be, and with what.</summary>
/// <param name="Warehouses">At least 1.</param>
/// <param name="Scale">0.001 to 1, of the standard's items and customers.</param>
/// <param name="Seed">Of all rows.</param>
[GenerateSerializer, Immutable]
public sealed record DatabaseTerms(
    [property: Id(0)] int Warehouses, [property: Id(1)] double Scale, [property: Id(2)] ulong Seed)
{
    /// <summary>How many rows of which kind.</summary>
    public DatabaseSize Size => new(Warehouses, Scale);
}

/// <summary>The database, as it is.</summary>
/// <param name="Terms">As it was begun.</param>
/// <param name="Loaded">How many of the grains that it begins with have their rows.</param>
/// <param name="Grains">How many these are.</param>
[GenerateSerializer, Immutable]
public sealed record DatabaseInfo(
    [property: Id(0)] DatabaseTerms Terms, [property: Id(1)] int Loaded, [property: Id(2)] int Grains)
{
    /// <summary>Whether all have.</summary>
    public bool IsLoaded => Loaded == Grains;
}
