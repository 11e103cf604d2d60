using Orleans;

namespace Polyjuice.Lab.Workloads.Mixed;

/// <summary>A transaction that was told to has changed its mind.</summary>
[GenerateSerializer]
public sealed class CellDeclinedException() : Exception("The transaction was told to decline.");
