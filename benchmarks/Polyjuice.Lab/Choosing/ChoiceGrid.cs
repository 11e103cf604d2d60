using Polyjuice.Lab.Choosing;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Experiments.OverTime;
using Polyjuice.Lab.Load;
using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.Doppel;
using Polyjuice.Lab.Workloads.HotGrain;
using Polyjuice.Lab.Workloads.House;
using Polyjuice.Lab.Workloads.Micro;
using Polyjuice.Lab.Workloads.Rubis;
using Polyjuice.Lab.Workloads.Tpce;
using Polyjuice.Lab.Workloads.Ycsb;
using Smallbank.Workload;
using Tpcc.Workload;

namespace Polyjuice.Lab.Tool.Choosing;

/// <summary>
/// The loads that a model of choices is trained on: all workloads, quiet to hot, on one silo and on two.
/// </summary>
internal static class ChoiceGrid
{
    private const int Accounts = 5_000;
    private const int TpccWarehouses = 4;

    /// <summary>No latency; all that is short is processors.</summary>
    private static readonly ClusterShape _one = new(1, TimeSpan.Zero, TimeSpan.Zero, null);

    private static readonly ClusterShape _two = new(2, TimeSpan.Zero, TimeSpan.Zero, null);

    /// <summary>As experiments have it: 1 ms a message, 5 ms an append.</summary>
    private static readonly ClusterShape _slow =
        new(2, TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(5), null);

    /// <summary>All of them.</summary>
    /// <param name="seed">Of the phases that are drawn.</param>
    public static IReadOnlyList<ChoiceLoad> Loads(ulong seed) =>
    [
        Of(YcsbWorkload.Definition, _slow, Ycsb(seed, 9)),
        Of(SmallbankWorkload.Smallbank, _slow, Skews(0, 0.9, 1.2)),
        Of(SmallbankWorkload.MultiTransfer, _slow, Skews(0, 0.9, 1.2)),
        Tpcc(_slow, TpccWarehouses, seed, 6),
        Tpcc(_slow, 1, seed, 1),
        Of(HouseWorkload.Definition, _slow, Houses(seed, 4)),
        Of(TpceWorkload.Definition, _slow, Skews(0, 1, 2)),
        Of(MicroWorkload.Definition, _slow, Skews(0, 0.99)),
        Of(RubisWorkload.Contended, _slow, Skews(0, 1.8)),
        Of(LikeWorkload.Definition, _slow, Skews(0.6, 1.4)),
        Of(IncrementWorkload.Definition, _slow, Skews(0), new(Accounts) { HotPercent = 50 }),
        Of(HotGrainWorkload.Definition, _slow, Skews(0)),
        Of(YcsbWorkload.Definition, _one, Ycsb(seed + 1, 5)),
        Of(SmallbankWorkload.Smallbank, _one, Skews(0, 0.99, 1.5)),
        Of(SmallbankWorkload.MultiTransfer, _one, Skews(0.9, 1.5)),
        Tpcc(_one, TpccWarehouses, seed + 1, 3),
        Tpcc(_one, 1, seed, 1),
        Of(HouseWorkload.Definition, _one, Houses(seed + 1, 3)),
        Of(TpceWorkload.Definition, _one, Skews(1)),
        Of(MicroWorkload.Definition, _one, Skews(0.99)),
        Of(RubisWorkload.Bidding, _one, Skews(1)),
        Of(HotGrainWorkload.Definition, _one, Skews(0)),
        Of(SmallbankWorkload.Smallbank, _two, Skews(0.99)),
        Of(SmallbankWorkload.MultiTransfer, _two, Skews(0.5, 0.99)),
        Of(YcsbWorkload.Definition, _two, Ycsb(seed + 2, 4)),
        Tpcc(_two, TpccWarehouses, seed + 2, 2),
    ];

    private static ChoiceLoad Of(
        WorkloadDefinition workload, ClusterShape shape, IReadOnlyList<ChoicePhase> phases,
        WorkloadParameters? parameters = null) =>
        new(workload, parameters ?? new WorkloadParameters(Accounts), shape, phases);

    private static IReadOnlyList<ChoicePhase> Skews(params IEnumerable<double> thetas) =>
        [.. thetas.Select(ChoicePhase.Of)];

    private static IReadOnlyList<ChoicePhase> Drawn(IEnumerable<LoadPhase> phases) =>
        [.. phases.Select(phase => new ChoicePhase(phase.Text, 0, phase.Begin))];

    // Not the phases of the experiments on loads that shift: those have other seeds.
    private static IReadOnlyList<ChoicePhase> Ycsb(ulong seed, int count) => Drawn(YcsbPhases.Draw(count, seed));

    private static ChoiceLoad Tpcc(ClusterShape shape, int warehouses, ulong seed, int count) =>
        Of(
            TpccWorkload.Definition, shape,
            [.. Drawn(Experiments.TpccPhases.Draw(warehouses, count, seed)).Select(
                phase => phase with { Text = $"{warehouses} wh., {phase.Text}" })],
            new() { Warehouses = warehouses, Scale = 0.02 });

    private static IReadOnlyList<ChoicePhase> Houses(ulong seed, int count)
    {
        var random = new BenchmarkRandom(seed);
        return
        [
            .. Enumerable.Range(0, count)
                .Select(
                    _ => new HousePhase(
                        10 + (20 * random.Next(5)), 1 << random.Next(5), random.Any<double>([0, 0.8, 0.99, 1.2])))
                .Select(
                    phase => new ChoicePhase(phase.ToString(), 0, workload => ((HouseWorkload)workload).Phase = phase)),
        ];
    }
}
