using Polyjuice.Lab.Experiments;
using Polyjuice.Lab.Experiments.Sweeps;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;
using Tpcc.Workload;

namespace Polyjuice.Lab.Tool.Experiments;

/// <summary>What the Polyjuice paper measures on TPC-C.</summary>
internal static class TpccExperiments
{
    private const string ByWarehouses = "TPC-C by warehouses";
    private const string Warehouses = "warehouses";

    /// <summary>All of them.</summary>
    public static IReadOnlyList<IExperiment> All { get; } =
    [
        new SweepExperiment(
            "tpcc",
            "TPC-C's full mix by contention: the fewer warehouses, the more (Polyjuice, fig. 4a and 4b).",
            scale => [Sweep(scale, ByWarehouses, scale.Of<double[]>([1], [1, 4], [1, 2, 4, 8]))],
            scale => scale.AllTables)
        {
            Claims = points => Winners.BestBeats(points, ByWarehouses, 1, 1.5, "locking", "occ"),
        },
        new SweepExperiment(
            "scalability",
            "TPC-C with one warehouse by clients and by silos (Polyjuice, fig. 4c; its threads are a machine's, which "
            + "are two here).",
            Scalability,
            scale => scale.TablesOr("occ", "locking", "ic3", "dirty-public", "cormcc")),
        new SweepExperiment(
            "factor",
            "TPC-C under ic3, and under ic3 without one kind of action each (Polyjuice, fig. 6, from the other end).",
            scale => [
                Sweep(scale, "ic3 and what it is without", scale.Of<double[]>([1], [1, 4], [1, 8])) with
                {
                    Kind = ChartKind.Bars
                }
            ],
            scale => [
                .. scale.TablesOr("ic3").SelectMany(FactorTable.Factors),
                .. scale.Chosen.Count == 0 ? [BuiltinPolicies.Get("occ")] : Array.Empty<IPolicyCompiler>()
            ]),
        new LatencyExperiment(
            "latency",
            "Latency of each of TPC-C's transactions with one warehouse (Polyjuice, table 2).",
            LongPlan,
            scale => scale.TablesOr("occ", "locking", "2pl-star", "cormcc", "ic3", "dirty-public")),
        new SweepExperiment(
            "foreign",
            "TPC-C under tables that were trained for another number of warehouses, and another machine: the paper's, "
            + "for 1 and for 4 warehouses on 48 threads (Polyjuice, fig. 12).",
            scale => [Sweep(scale, "tables of another workload", scale.Of<double[]>([1], [1, 4], [1, 2, 4, 8]))],
            scale => [.. PaperTables.All, .. scale.TablesOr("occ", "locking", "ic3")]),
    ];

    /// <summary>
    /// Small enough to be loaded and checked each time, large enough that only what is hot in the standard is hot.
    /// </summary>
    public static WorkloadParameters Sizes(ExperimentScale scale, double warehouses) =>
        new() { Warehouses = (int)warehouses, Scale = scale.Of(0.005, 0.02, 0.05) };

    private static BenchmarkPlan Plan(ExperimentScale scale, double warehouses) =>
        scale.PlanFor(TpccWorkload.Definition, Sizes(scale, warehouses));

    // An operation that has not ended yet has no latency, which in a short interval flatters who lets some starve.
    private static BenchmarkPlan LongPlan(ExperimentScale scale) =>
        Plan(scale, 1) with { Measured = scale.Measured * 3 };

    private static Sweep Sweep(ExperimentScale scale, string panel, double[] warehouses) =>
        new(panel, Warehouses, warehouses, x => Plan(scale, x));

    private static IReadOnlyList<Sweep> Scalability(ExperimentScale scale) =>
    [
        new(
            "TPC-C, 1 warehouse, by clients",
            "clients",
            scale.Of<double[]>([16], [4, 64], [1, 4, 16, 64, 256]),
            clients => Plan(scale, 1) with { Clients = (int)clients })
        {
            Kind = ChartKind.LogarithmicCurves
        },
        new(
            "TPC-C, 1 warehouse, by silos",
            "silos",
            scale.Of<double[]>([1], [1, 2], [1, 2, 4]),
            silos => Plan(scale, 1) is var plan ? plan with { Shape = plan.Shape with { Silos = (int)silos } } : plan),
    ];
}
