using Polyjuice.Contracts;
using Polyjuice.Simulation.Specification.Events;

namespace Polyjuice.Simulation.Specification.State;

/// <summary>One store of a row: a new owner's first one is its fence (L1).</summary>
/// <param name="Node">Who has stored it.</param>
/// <param name="Key">The row's only participant.</param>
/// <param name="Before">What the row said before: what an owner knows whose fence this is.</param>
/// <param name="Ceiling">Its time stamp then.</param>
/// <param name="Since">The position from which on that node alone has stored it.</param>
internal sealed record RowStore(NodeId Node, ParticipantKey Key, RowContents Before, long Ceiling, long Since);
