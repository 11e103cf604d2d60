using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Experiments;

/// <summary>How long experiments may take, and so how far their figures can be trusted.</summary>
/// <param name="Name">What users type.</param>
/// <param name="Measured">For how long a workload is measured, after a warm-up of a quarter of that.</param>
/// <param name="Rounds">How often each arm is measured.</param>
internal sealed record ExperimentScale(string Name, TimeSpan Measured, int Rounds)
{
    /// <summary>Whether it works, in seconds: for continuous integration. Figures mean nothing.</summary>
    public static ExperimentScale Brief { get; } = new("brief", TimeSpan.FromSeconds(0.1), 1);

    /// <summary>The whole set in a quarter of an hour: shapes of curves, and large differences.</summary>
    public static ExperimentScale Quick { get; } = new("quick", TimeSpan.FromSeconds(0.8), 1);

    /// <summary>For publication: hours.</summary>
    public static ExperimentScale Full { get; } = new("full", TimeSpan.FromSeconds(4), 3);

    private static readonly string[] _few = ["occ", "locking", "ic3"];

    /// <summary>
    /// The tables that the user has chosen to compare; empty for those that experiments compare by themselves.
    /// </summary>
    public IReadOnlyList<IPolicyCompiler> Chosen { get; init; } = [];

    /// <summary>
    /// Ends a measurement after so many operations instead of by time,
    /// without a warm-up; <see langword="null"/> by time. For tests.
    /// </summary>
    public long? Operations { get; init; }

    /// <summary>Of all random choices.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>
    /// Transactions at a time, as the user has chosen; <see langword="null"/> for those that suit the experiment.
    /// </summary>
    public int? Clients { get; init; }

    /// <summary>How clusters are started.</summary>
    public Func<ClusterShape, Task<IBenchmarkCluster>> Start { get; init; } = static _ =>
        throw new InvalidOperationException(
            "A scale must be told how clusters are started before anything is measured by it.");

    /// <summary>One of three values, by the scale.</summary>
    public T Of<T>(T brief, T quick, T full) => Name switch { "brief" => brief, "quick" => quick, _ => full };

    /// <summary>So many transactions at a time, or those that the user has chosen instead.</summary>
    public int ClientsOr(int count = 64) => Clients ?? count;

    /// <summary>Every built-in table, or those that the user has chosen instead; in a brief run only a few.</summary>
    public IReadOnlyList<IPolicyCompiler> AllTables =>
        Chosen.Count > 0
            ? Chosen
            : Of<IReadOnlyList<IPolicyCompiler>>(TablesOr(_few), BuiltinPolicies.All, BuiltinPolicies.All);

    /// <summary>The tables of these names, or those that the user has chosen instead.</summary>
    public IReadOnlyList<IPolicyCompiler> TablesOr(params IEnumerable<string> names) =>
        Chosen.Count > 0 ? Chosen : [.. names.Select(BuiltinPolicies.Get)];

    /// <summary>
    /// A plan for a workload on two silos, with 1 ms to every message and 5 ms to
    /// every append: without latency two processors only show who wastes work.
    /// </summary>
    public BenchmarkPlan PlanFor(WorkloadDefinition workload, WorkloadParameters parameters) => new()
    {
        Workload = workload,
        Parameters = parameters with { Seed = Seed },
        Shape = new ClusterShape(2, TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(5), null),
        Clients = ClientsOr(),
        Warmup = Operations is null ? Measured / 4 : TimeSpan.Zero,
        Measured = Measured,
        OperationsPerInterval = Operations,
        IncludePlain = false,
        Seed = Seed,
    };
}
