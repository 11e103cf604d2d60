using Polyjuice.Lab.Experiments;
using Polyjuice.Lab.Experiments.Sweeps;
using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.Doppel;
using Polyjuice.Lab.Workloads.Micro;
using Polyjuice.Lab.Workloads.Rubis;
using Polyjuice.Lab.Workloads.Tpce;
using Polyjuice.Lab.Workloads.Ycsb;
using Polyjuice.Policies;
using Smallbank.Workload;

namespace Polyjuice.Lab.Tool.Experiments;

/// <summary>Workloads by contention.</summary>
internal static class ContentionExperiments
{
    private const string Micro = "ten types of eight updates";
    private const string MicroUniform = "ten types of eight updates, few clients";
    private const string Smallbank = "Smallbank";

    /// <summary>As many as saturate two processors, and meet at the hot records.</summary>
    private const int MicroClients = 256;

    /// <summary>All of them.</summary>
    public static IReadOnlyList<IExperiment> All { get; } =
    [
        new SweepExperiment(
            "micro",
            $"Ten types of eight updates, the first of a hot set (Polyjuice, fig. 9), by {MicroClients} clients unless "
            + "said otherwise: of fewer not enough are under way at the hot records to meet, and the messages that "
            + "each waits for bound every table alike. So many contend without skew, too: how tables do without "
            + "contention is measured by as many clients as elsewhere.",
            scale =>
            [
                Sweep.OfSkew(MicroUniform, [0], scale.PlanFor(MicroWorkload.Definition, Records(scale))),
                Sweep.OfSkew(
                    Micro,
                    scale.Of<double[]>([0.99], [0.8, 0.99], [0, 0.4, 0.8, 0.99, 1.2]),
                    scale.PlanFor(MicroWorkload.Definition, Records(scale)) with
                    {
                        Clients = scale.ClientsOr(scale.Of(64, MicroClients, MicroClients))
                    }),
            ],
            scale => scale.AllTables)
        {
            Claims = points => [
                .. Winners.NoneBelow(points, MicroUniform, 0, 0.9, "locking"),
                .. Winners.BestBeats(points, Micro, 0.8, 1.5, "locking", "occ"),
                .. Winners.BestBeats(points, Micro, 0.99, 1.5, "locking", "occ")
            ],
        },
        new SweepExperiment(
            "smallbank",
            "Smallbank by skew.",
            scale => [
                Skewed(
                    scale,
                    Smallbank,
                    SmallbankWorkload.Smallbank,
                    scale.Of<double[]>([0.99], [0, 0.99], [0, 0.6, 0.99, 1.2]))
            ],
            scale => scale.AllTables)
        {
            Claims = points => Winners.NoneBelow(points, Smallbank, 0, 0.9, "locking"),
        },
        new SweepExperiment(
            "ycsb", "YCSB A, four operations a transaction, by skew.",
            scale => [
                Sweep.OfSkew(
                    "YCSB A",
                    scale.Of<double[]>([0.99], [0, 0.99], [0, 0.6, 0.99, 1.2]),
                    scale.PlanFor(YcsbWorkload.Definition, Records(scale) with { Operations = 4 }))
            ],
            scale => scale.TablesOr("occ", "locking", "ic3", "dirty-public", "cormcc")),
        new SweepExperiment(
            "tpce",
            "TPC-E's Trade-Order, Trade-Update and Market-Feed by the skew of securities (Polyjuice, fig. 8a).",
            scale => [
                Skewed(
                    scale, "TPC-E's three", TpceWorkload.Definition, scale.Of<double[]>([2], [0, 2], [0, 1, 2, 3, 4]))
            ],
            scale => scale.AllTables),
        new SweepExperiment(
            "tpce-scalability", "The same at θ 3 by clients (Polyjuice, fig. 8b).",
            scale => [
                new(
                    "TPC-E's three, θ 3, by clients",
                    "clients",
                    scale.Of<double[]>([16], [1, 8, 64], [1, 4, 16, 64, 256]),
                    clients => scale.PlanFor(TpceWorkload.Definition, Records(scale)) with { Clients = (int)clients })
                {
                    Kind = ChartKind.LogarithmicCurves, ThetaAt = _ => 3
                }
            ],
            scale => scale.TablesOr("occ", "locking", "ic3", "dirty-public")),
        new SweepExperiment(
            "incr1", "Doppel's INCR1: increments, more and more of them of one record (Narula, fig. 7-1).",
            scale => [
                new(
                    "INCR1",
                    "% of the increments of one record",
                    scale.Of<double[]>([100], [0, 10, 50, 100], [0, 1, 2, 5, 10, 20, 50, 100]),
                    percent => scale.PlanFor(
                        IncrementWorkload.Definition, Records(scale) with { HotPercent = (int)percent }))
            ],
            Doppel),
        new SweepExperiment(
            "like",
            "Doppel's LIKE: pages by a skew of 1.4, more and more of the transactions writing (Narula, fig. 7-6).",
            scale => [
                new(
                    "LIKE, θ 1.4",
                    "% that write",
                    scale.Of<double[]>([50], [10, 50, 100], [0, 10, 30, 50, 70, 100]),
                    percent => scale.PlanFor(
                        LikeWorkload.Definition, Records(scale) with { WritePercent = (int)percent }))
                {
                    ThetaAt = _ => 1.4
                }
            ],
            Doppel),
        new SweepExperiment(
            "rubis",
            "RUBiS's auctions: the bidding mix, and one of which half is bids, by the skew of auctions (Narula, table "
            + "7.4 and fig. 7-8).",
            scale => [
                Skewed(scale, "RUBiS-B", RubisWorkload.Bidding, scale.Of<double[]>([0], [0], [0, 1, 1.8])),
                Skewed(
                    scale,
                    "RUBiS-C",
                    RubisWorkload.Contended,
                    scale.Of<double[]>([1.8], [0, 1.8], [0, 0.6, 1, 1.4, 1.8]))
            ],
            Doppel),
    ];

    // What Doppel is compared with, and what comes nearest to it here.
    private static IReadOnlyList<IPolicyCompiler> Doppel(ExperimentScale scale) =>
        scale.TablesOr("occ", "2pl-star", "locking", "dirty-public", "cormcc");

    private static Sweep Skewed(ExperimentScale scale, string panel, WorkloadDefinition workload, double[] thetas) =>
        Sweep.OfSkew(panel, thetas, scale.PlanFor(workload, Records(scale)));

    private static WorkloadParameters Records(ExperimentScale scale) => new(scale.Of(500, 5_000, 10_000));
}
