using Polyjuice.Lab.Running;

namespace Polyjuice.Lab.Experiments.Sweeps;

/// <summary>A diagram of a workload along something that is varied.</summary>
/// <param name="Panel">The diagram's name.</param>
/// <param name="XLabel">What is varied.</param>
/// <param name="Xs">Its values.</param>
/// <param name="PlanAt">The workload, its sizes and the cluster at a value.</param>
internal sealed record Sweep(string Panel, string XLabel, IReadOnlyList<double> Xs, Func<double, BenchmarkPlan> PlanAt)
{
    /// <summary>The skew at a value. Default: none.</summary>
    public Func<double, double> ThetaAt { get; init; } = _ => 0;

    /// <summary>How it is drawn.</summary>
    public ChartKind Kind { get; init; } = ChartKind.Curves;

    /// <summary>Varies the skew.</summary>
    /// <param name="panel">The diagram's name.</param>
    /// <param name="thetas">The skews.</param>
    /// <param name="plan">All else.</param>
    public static Sweep OfSkew(string panel, IReadOnlyList<double> thetas, BenchmarkPlan plan) =>
        new(panel, "Zipfian skew θ", thetas, _ => plan) { ThetaAt = theta => theta };
}
