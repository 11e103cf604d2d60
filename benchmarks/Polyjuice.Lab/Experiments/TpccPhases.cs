using Polyjuice.Lab.Experiments.OverTime;
using Polyjuice.Lab.Load;
using Tpcc.Workload;

namespace Polyjuice.Lab.Tool.Experiments;

/// <summary>
/// What CormCC's paper varies of TPC-C (§6.4): the mix, the skew of records, how many warehouses have transactions
/// across warehouses, and how many of those.
/// </summary>
internal static class TpccPhases
{
    private const int Mixes = 10;
    private const int RemoteStep = 10;
    private static readonly double?[] _thetas = [0, 0.5, 1, 1.5];

    /// <summary>
    /// Phases at random but for the first, which is the paper's: the standard's mix, and each warehouse by itself. A
    /// mix is the standard's or one of nine at random.
    /// </summary>
    /// <param name="warehouses">How many there are.</param>
    /// <param name="count">How many phases.</param>
    /// <param name="seed">Of all choices.</param>
    public static IReadOnlyList<LoadPhase> Draw(int warehouses, int count, ulong seed)
    {
        var random = new BenchmarkRandom(seed);
        TransactionMix[] mixes =
        [
            TransactionMix.Standard, .. Enumerable.Range(1, Mixes - 1).Select(_ => TransactionMix.Any(random))
        ];
        return
        [
            Of(TpccPhase.Standard with { RemoteWarehouses = 0 }),
            .. Enumerable.Range(1, Math.Max(0, count - 1))
            .Select(
                _ => Of(new TpccPhase(random.Any(mixes))
                {
                    Theta = random.Any(_thetas),
                    RemoteWarehouses = random.Next(warehouses + 1),
                    RemotePercent = 50 + (RemoteStep * random.Next(6))
                })),
        ];
    }

    private static LoadPhase Of(TpccPhase phase) =>
        new(Text(phase), workload => ((TpccWorkload)workload).Phase = phase);

    private static string Text(TpccPhase phase)
    {
        var mix = phase.Mix == TransactionMix.Standard ? "the standard's mix" : $"mix {phase.Mix}";
        var skew = phase.Theta is { } theta ? FormattableString.Invariant($", θ {theta:0.##}") : "";
        return $"{mix}{skew}, {(phase.RemoteWarehouses is > 0 and var remote ? $"{phase.RemotePercent}% across in {remote} warehouse{(remote == 1 ? "" : "s")}" : "nothing across")}";
    }
}
