using System.Collections.Immutable;
using Orleans;

namespace TpccSilo.Grains;

/// <summary>What a check has found.</summary>
/// <param name="Orders">How many orders there are.</param>
/// <param name="Payments">How many payments.</param>
/// <param name="Violations">How many times a condition does not hold.</param>
/// <param name="Examples">Some of them.</param>
[GenerateSerializer, Immutable]
public sealed record ConsistencyReport(
    [property: Id(0)] int Orders,
    [property: Id(1)] int Payments,
    [property: Id(2)] int Violations,
    [property: Id(3)] ImmutableArray<string> Examples);
