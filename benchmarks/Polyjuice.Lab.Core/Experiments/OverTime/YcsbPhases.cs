using Polyjuice.Lab.Load;
using Polyjuice.Lab.Workloads.Ycsb;

namespace Polyjuice.Lab.Experiments.OverTime;

/// <summary>
/// Of what CormCC's paper varies of YCSB (§6.4): the share of reads, the length of a transaction and the skew.
/// Partitions of the data are not a thing here, so that nothing is more or less partitionable.
/// </summary>
internal static class YcsbPhases
{
    private static readonly int[] _reads = [50, 60, 70, 80, 90, 100];
    private static readonly int[] _operations = [4, 8, 15];
    private static readonly double[] _thetas = [0, 0.5, 0.9, 1.2, 1.5];

    /// <summary>Phases at random but for the first, which is the paper's.</summary>
    /// <param name="count">How many.</param>
    /// <param name="seed">Of all choices.</param>
    public static IReadOnlyList<LoadPhase> Draw(int count, ulong seed)
    {
        var random = new BenchmarkRandom(seed);
        return [
            Of(new(YcsbMix.OfReads(80), 15, 0)),
            .. Enumerable.Range(1, Math.Max(0, count - 1))
            .Select(_ => Of(new(YcsbMix.OfReads(random.Any(_reads)), random.Any(_operations), random.Any(_thetas))))
        ];
    }

    private static LoadPhase Of(YcsbPhase phase) =>
        new(
            FormattableString.Invariant($"{phase.Mix.Name}, {phase.Operations} operations, θ {phase.Theta:0.##}"),
            workload => ((YcsbWorkload)workload).Phase = phase);
}
