namespace Polyjuice.Lab.Workloads.Ycsb;

/// <summary>What clients do for a while.</summary>
/// <param name="Mix">Which operations.</param>
/// <param name="Operations">Operations of a transaction, 1 to 64.</param>
/// <param name="Theta">Skew of the choice of records; <see langword="null"/> for the client's own.</param>
public sealed record YcsbPhase(YcsbMix Mix, int Operations, double? Theta = null);
