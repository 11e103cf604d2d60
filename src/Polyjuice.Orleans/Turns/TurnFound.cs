using Orleans;
using Polyjuice.Agents;

namespace Polyjuice.Orleans.Turns;

/// <summary>What a silo's engines say of a call that waits, maybe for the turn of a grain there.</summary>
/// <param name="Answer">What it waits for.</param>
/// <param name="Node">The engine that knows; 0 if none does.</param>
[GenerateSerializer, Immutable, Alias("Polyjuice.TurnFound")]
internal readonly record struct TurnFound([property: Id(0)] TurnAnswer Answer, [property: Id(1)] long Node);
