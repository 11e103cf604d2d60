using Polyjuice.Agents;

namespace Polyjuice.Orleans.Calls;

/// <summary>One run of a call within a transaction, where it has arrived. A filter may run the call again.</summary>
/// <param name="Frame">What it ran in; on the engine's turn only.</param>
/// <param name="Failure">What it threw, if anything.</param>
internal sealed record JoinedRun(CallFrame Frame, Exception? Failure);
