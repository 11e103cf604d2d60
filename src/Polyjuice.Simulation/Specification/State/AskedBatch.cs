using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;

namespace Polyjuice.Simulation.Specification.State;

/// <summary>A batch that an owner has asked its log for, and whose end it may not know (L3).</summary>
/// <param name="Batch">Which.</param>
/// <param name="Position">Where it must go.</param>
/// <param name="Number">The how-manieth of its owner.</param>
/// <param name="Records">What it holds.</param>
internal sealed record AskedBatch(BatchId Batch, long Position, int Number, IReadOnlyList<LoggedRecord> Records);
