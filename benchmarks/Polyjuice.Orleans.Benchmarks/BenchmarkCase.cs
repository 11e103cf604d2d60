namespace Polyjuice.Orleans.Benchmarks;

/// <summary>One cell of the table.</summary>
/// <param name="Engine">"orleans", "plain" or a policy of Polyjuice's.</param>
/// <param name="Workload">"smallbank" or "multitransfer".</param>
/// <param name="Theta">Skew.</param>
/// <param name="Clients">Callers, each with one call at a time.</param>
/// <param name="Silos">Silos, all in this process.</param>
/// <param name="Accounts">Number of accounts.</param>
/// <param name="Partitions">Log partitions.</param>
internal sealed record BenchmarkCase(string Engine, string Workload, double Theta, int Clients, int Silos, int Accounts, int Partitions);
