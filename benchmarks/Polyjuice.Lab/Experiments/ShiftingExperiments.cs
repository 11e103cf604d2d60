using Polyjuice.Lab.Experiments;
using Polyjuice.Lab.Experiments.OverTime;
using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.Ycsb;
using Tpcc.Workload;

namespace Polyjuice.Lab.Tool.Experiments;

/// <summary>CormCC's varied workloads.</summary>
internal static class ShiftingExperiments
{
    /// <summary>The paper has 32; each of these still has terminals enough to be contended.</summary>
    private const int Warehouses = 4;

    // What else there is to say changes.
    private static readonly WorkloadDefinition _ycsb = YcsbWorkload.Definition with
    {
        Describe = parameters => FormattableString.Invariant($"{parameters.Accounts:N0} records")
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<IExperiment> All { get; } =
    [
        new ShiftingExperiment(
            "shifting",
            "YCSB whose share of reads, length of transactions and skew change every few seconds (CormCC, fig. 9).",
            "YCSB that changes", scale => scale.PlanFor(_ycsb, new WorkloadParameters(scale.Of(500, 5_000, 10_000))),
            scale => YcsbPhases.Draw(scale.Of(2, 5, 10), scale.Seed)),
        new ShiftingExperiment(
            "shifting-tpcc",
            "TPC-C whose mix, skew of records and share of transactions across warehouses change every few seconds "
            + "(CormCC, fig. 10).",
            "TPC-C that changes",
            scale => scale.PlanFor(TpccWorkload.Definition, TpccExperiments.Sizes(scale, Warehouses)),
            scale => TpccPhases.Draw(Warehouses, scale.Of(2, 4, 10), scale.Seed)),
    ];
}
