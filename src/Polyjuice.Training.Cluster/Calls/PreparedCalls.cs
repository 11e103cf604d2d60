using Polyjuice.Storage;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Cluster.Calls;

/// <summary>Calls to make again, and the states that they met. Immutable.</summary>
/// <param name="Calls">In the order of their arrival.</param>
/// <param name="Initial">Logs with the states, of which measurements take copies.</param>
internal sealed record PreparedCalls(AccessTrace Calls, MemoryLogStore Initial);
