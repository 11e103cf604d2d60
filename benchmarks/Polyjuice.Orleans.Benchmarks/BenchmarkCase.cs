namespace Polyjuice.Orleans.Benchmarks;

/// <summary>One cell of the table.</summary>
/// <param name="Engine">"orleans", a policy of Polyjuice's, "plain" for the plain twins of the grains, or "plain-beside" for these in silos where the engine is on.</param>
/// <param name="Workload">"smallbank" or "multitransfer".</param>
/// <param name="Theta">Skew.</param>
/// <param name="Clients">Callers, each with one call at a time.</param>
/// <param name="Silos">Silos, all in this process.</param>
/// <param name="Accounts">Number of accounts.</param>
/// <param name="Partitions">Log partitions.</param>
internal sealed record BenchmarkCase(string Engine, string Workload, double Theta, int Clients, int Silos, int Accounts, int Partitions)
{
    /// <summary>Whether no transactions are made.</summary>
    public bool IsPlain => Engine.StartsWith("plain", StringComparison.Ordinal);

    /// <summary>The policy that silos run, if they run Polyjuice.</summary>
    public string? Policy => Engine switch
    {
        "orleans" or "plain" => null,
        "plain-beside" => "occ",
        _ => Engine,
    };
}
