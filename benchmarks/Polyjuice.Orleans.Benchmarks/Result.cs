namespace Polyjuice.Orleans.Benchmarks;

/// <summary>What one run has measured.</summary>
/// <param name="Workload">See <see cref="BenchmarkCase"/>.</param>
/// <param name="Theta">See there.</param>
/// <param name="Clients">See there.</param>
/// <param name="Silos">See there.</param>
/// <param name="StorageMilliseconds">See there.</param>
/// <param name="Arm">See <see cref="Benchmarks.Arm.Name"/>.</param>
/// <param name="Round">Which repetition.</param>
/// <param name="Seconds">How long it was measured.</param>
/// <param name="Committed">Operations a second that committed.</param>
/// <param name="Failed">Operations a second that the caller saw fail.</param>
/// <param name="P50">Median latency of those that committed, in microseconds.</param>
/// <param name="P99">The 99th percentile.</param>
/// <param name="CpuMicroseconds">Processor time for each that committed.</param>
/// <param name="StorageFormat">See <see cref="BenchmarkCase"/>.</param>
/// <param name="StorageCalls">Calls of slow storage for each that committed: loads, stores and appends. 0 where storage is not slow.</param>
/// <param name="AllocatedBytes">Bytes allocated for each that committed, by all that runs in the process.</param>
internal sealed record Result(
    string Workload, double Theta, int Clients, int Silos, int StorageMilliseconds, string Arm, int Round, double Seconds, double Committed, double Failed, double P50, double P99, double CpuMicroseconds,
    string StorageFormat = BenchmarkCase.Json, double StorageCalls = 0, double AllocatedBytes = 0);
