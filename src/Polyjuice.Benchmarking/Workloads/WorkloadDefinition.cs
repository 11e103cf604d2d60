namespace Polyjuice.Benchmarking.Workloads;

/// <summary>An entry of a catalogue of workloads.</summary>
/// <param name="Name">What users type: lower case.</param>
/// <param name="Summary">One sentence.</param>
/// <param name="Create">Makes an instance for one fresh cluster.</param>
/// <param name="HasTransactions">Whether there is a transactional variant; otherwise only plain calls are measured.</param>
/// <param name="ReportsTax">Whether the plain twins make a meaningful price comparison.</param>
public sealed record WorkloadDefinition(
    string Name, string Summary, Func<WorkloadParameters, IWorkload> Create, bool HasTransactions = true, bool ReportsTax = true);

/// <summary>Sizes that users may set.</summary>
/// <param name="Accounts">How many grains to choose from (accounts, partners); at least 8. Default 10,000.</param>
/// <param name="Seed">Decides which grains are the hot ones.</param>
public sealed record WorkloadParameters(int Accounts = 10_000, ulong Seed = 1);

/// <summary>The workloads that a program offers.</summary>
/// <param name="workloads">In the order in which they are listed.</param>
public sealed class WorkloadCatalogue(params IEnumerable<WorkloadDefinition> workloads)
{
    /// <summary>All, in order.</summary>
    public IReadOnlyList<WorkloadDefinition> All { get; } = [.. workloads];

    /// <summary>The workload with that name, or <see langword="null"/>.</summary>
    public WorkloadDefinition? Find(string name) =>
        All.FirstOrDefault(w => string.Equals(w.Name, name, StringComparison.OrdinalIgnoreCase));
}
