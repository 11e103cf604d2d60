using Polyjuice.Benchmarking.Experiments;
using Polyjuice.Benchmarking.Experiments.Sweeps;
using Polyjuice.Benchmarking.Workloads;
using Polyjuice.Benchmarking.Workloads.Micro;
using Polyjuice.Benchmarking.Workloads.Ycsb;
using Smallbank.Workload;

namespace Polyjuice.Cli.Experiments;

/// <summary>Workloads by contention.</summary>
internal static class ContentionExperiments
{
    private const string Micro = "ten types of eight updates";
    private const string Smallbank = "Smallbank";

    /// <summary>All of them.</summary>
    public static IReadOnlyList<IExperiment> All { get; } =
    [
        new SweepExperiment("micro", "Ten types of eight updates, the first of a hot set (Polyjuice, fig. 9).", scale => [Skewed(scale, Micro, MicroWorkload.Definition, scale.Of<double[]>([0.99], [0, 0.8, 0.99], [0, 0.4, 0.8, 0.99, 1.2]))], scale => scale.AllTables)
        {
            Claims = points => [.. Winners.NoneBelow(points, Micro, 0, 0.9, "locking"), .. Winners.BestBeats(points, Micro, 0.8, 1.5, "locking", "occ"), .. Winners.BestBeats(points, Micro, 0.99, 1.5, "locking", "occ")],
        },
        new SweepExperiment("smallbank", "Smallbank by skew.", scale => [Skewed(scale, Smallbank, SmallbankWorkload.Smallbank, scale.Of<double[]>([0.99], [0, 0.99], [0, 0.6, 0.99, 1.2]))], scale => scale.AllTables)
        {
            Claims = points => Winners.NoneBelow(points, Smallbank, 0, 0.9, "locking"),
        },
        new SweepExperiment(
            "ycsb", "YCSB A, four operations a transaction, by skew.",
            scale => [Sweep.OfSkew("YCSB A", scale.Of<double[]>([0.99], [0, 0.99], [0, 0.6, 0.99, 1.2]), scale.PlanFor(YcsbWorkload.Definition, new WorkloadParameters(Records(scale)) { Operations = 4 }))], scale => scale.AllTables),
    ];

    private static Sweep Skewed(ExperimentScale scale, string panel, WorkloadDefinition workload, double[] thetas) => Sweep.OfSkew(panel, thetas, scale.PlanFor(workload, new WorkloadParameters(Records(scale))));

    private static int Records(ExperimentScale scale) => scale.Of(500, 5_000, 10_000);
}
