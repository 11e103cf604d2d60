using Polyjuice.Policies;

namespace Polyjuice.Training.Traces;

/// <summary>One incarnation of a silo.</summary>
/// <param name="Node">Its number, unique among all incarnations that shared the logs.</param>
/// <param name="Name">For people; empty if it was dropped.</param>
internal sealed record TraceSilo(long Node, string Name);

/// <summary>An access site.</summary>
/// <param name="Type">The number of its transaction type in <see cref="AccessTrace.Types"/>.</param>
/// <param name="Key">What policies name it by. Its path says through which grain methods a call came there.</param>
/// <param name="IsRepeated">Whether one attempt was seen to pass it more than once.</param>
internal sealed record TraceSite(int Type, SiteKey Key, bool IsRepeated);

/// <summary>A grain.</summary>
/// <param name="Class">Its class.</param>
/// <param name="Key">
/// Its identity as text ("AccountGrain/42"), or 32 hexadecimal digits of a hash of that; empty if it was dropped. Two
/// grains of a trace are two grains even if both have no key.
/// </param>
internal sealed record TraceGrain(string Class, string Key);

/// <summary>A participant: one transactional state of one grain.</summary>
/// <param name="Grain">The number of its grain in <see cref="AccessTrace.Grains"/>.</param>
/// <param name="State">
/// The grain class and the name of the state ("AccountGrain.checking"), as <see cref="SiteKey.State"/> has it.
/// </param>
/// <param name="Silo">The number of the silo that served it last, in <see cref="AccessTrace.Silos"/>.</param>
internal sealed record TraceParticipant(int Grain, string State, int Silo);
