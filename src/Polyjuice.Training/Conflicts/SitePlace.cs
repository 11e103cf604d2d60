namespace Polyjuice.Training.Conflicts;

/// <summary>An access site of a workload, by its place in the workload's catalogue.</summary>
/// <param name="Type">Its transaction type's place in the catalogue.</param>
/// <param name="Position">Its place among the sites of its type, from 0.</param>
internal readonly record struct SitePlace(int Type, int Position);
