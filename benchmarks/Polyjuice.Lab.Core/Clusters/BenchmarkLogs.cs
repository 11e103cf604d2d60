using Polyjuice.Storage;

namespace Polyjuice.Lab.Clusters;

/// <summary>A server that keeps logs.</summary>
/// <param name="Name">Its kind, for reports.</param>
/// <param name="OpenAsync">Opens new logs there, of so many partitions.</param>
internal sealed record BenchmarkLogs(string Name, Func<int, Task<SegmentedLogStore>> OpenAsync);
