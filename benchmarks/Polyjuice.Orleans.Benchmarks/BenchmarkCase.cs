namespace Polyjuice.Orleans.Benchmarks;

/// <summary>What all arms of one row of the table are measured under.</summary>
/// <param name="Workload">"smallbank" or "multitransfer".</param>
/// <param name="Theta">Skew.</param>
/// <param name="Clients">Callers, each with one call at a time.</param>
/// <param name="Silos">Silos, all in this process.</param>
/// <param name="StorageMilliseconds">What each store, load and append takes, at the least.</param>
/// <param name="Accounts">Number of accounts.</param>
/// <param name="Partitions">Log partitions.</param>
/// <param name="StorageFormat">What Orleans' storage provider makes of a row: "json", as it does unless told otherwise, or "binary", in Orleans' own serialiser.</param>
internal sealed record BenchmarkCase(string Workload, double Theta, int Clients, int Silos, int StorageMilliseconds, int Accounts, int Partitions, string StorageFormat)
{
    /// <summary>Orleans' default.</summary>
    public const string Json = "json";

    /// <summary>Orleans' own serialiser.</summary>
    public const string Binary = "binary";
}

