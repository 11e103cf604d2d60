namespace Polyjuice.Lab.Workloads;

/// <summary>An entry of a catalogue of workloads.</summary>
/// <param name="Name">What users type: lower case.</param>
/// <param name="Summary">One sentence.</param>
/// <param name="Create">Makes an instance for one fresh cluster.</param>
/// <param name="HasTransactions">
/// Whether there is a transactional variant; otherwise only plain calls are measured.
/// </param>
/// <param name="ReportsTax">Whether the plain twins make a meaningful price comparison.</param>
public sealed record WorkloadDefinition(
    string Name, string Summary, Func<WorkloadParameters, IWorkload> Create, bool HasTransactions = true,
    bool ReportsTax = true)
{
    /// <summary>Whether there are plain twins to measure.</summary>
    public bool HasPlainTwins { get; init; } = true;

    /// <summary>Whether clients choose by the skew θ; otherwise it is not varied.</summary>
    public bool HasSkew { get; init; } = true;

    /// <summary>
    /// Whether the invariant is one of the data alone, and not of what its
    /// clients were told, so that it also holds after others have made calls.
    /// </summary>
    public bool ChecksDataAlone { get; init; }

    /// <summary>
    /// The operations that are reported one by one, in the order of
    /// <see cref="WorkloadOperation.Type"/>. Empty if they are not told apart.
    /// </summary>
    public IReadOnlyList<OperationType> OperationTypes { get; init; } = [];

    /// <summary>What the sizes are, for titles.</summary>
    public Func<WorkloadParameters, string> Describe { get; init; } = parameters =>
        $"{parameters.Accounts:N0} grains to choose from";
}

/// <summary>One kind of operation of a workload.</summary>
/// <param name="Name">What reports call it.</param>
/// <param name="TransactionType">
/// The transaction type that it starts ("IDistrictGrain.NewOrder"), by which the engines count its attempts.
/// </param>
/// <param name="PerMinuteName">
/// What its commits per minute are called, if they are a figure of their own ("tpmC").
/// </param>
public sealed record OperationType(string Name, string TransactionType, string? PerMinuteName = null);

/// <summary>Sizes that users may set; a workload takes those that mean something to it.</summary>
/// <param name="Accounts">
/// How many grains to choose from (accounts, partners, records); at least 8. Default 10,000.
/// </param>
/// <param name="Seed">Decides what is loaded, and which grains are the hot ones.</param>
public sealed record WorkloadParameters(int Accounts = 10_000, ulong Seed = 1)
{
    /// <summary>Warehouses of TPC-C, 1 to 1,000. Default 1.</summary>
    public int Warehouses { get; init; } = 1;

    /// <summary>Share of the standard's number of rows for each warehouse, 0.001 to 1. Default 1.</summary>
    public double Scale { get; init; } = 1;

    /// <summary>Which of YCSB's core workloads: a to f. Default a.</summary>
    public string Mix { get; init; } = "a";

    /// <summary>Operations of a transaction of YCSB, 1 to 64. Default 1.</summary>
    public int Operations { get; init; } = 1;

    /// <summary>How many percent of the increments of INCR1 are of its hot record, 0 to 100. Default 10.</summary>
    public int HotPercent { get; init; } = 10;

    /// <summary>How many percent of the operations of LIKE write, 0 to 100. Default 50.</summary>
    public int WritePercent { get; init; } = 50;

    /// <summary>
    /// Whether clients pause as the standard's users do. Default <see langword="false"/>:
    /// a client makes its next operation when the last one has ended.
    /// </summary>
    public bool HasThinkTimes { get; init; }
}

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
