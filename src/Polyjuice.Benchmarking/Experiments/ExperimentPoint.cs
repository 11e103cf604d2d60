namespace Polyjuice.Benchmarking.Experiments;

/// <summary>What an arm came to.</summary>
/// <param name="Panel">As <see cref="ExperimentArm.Panel"/>.</param>
/// <param name="Series">As <see cref="ExperimentArm.Series"/>.</param>
/// <param name="X">As <see cref="ExperimentArm.X"/>.</param>
/// <param name="Figures">By name.</param>
public sealed record ExperimentPoint(string Panel, string Series, double X, IReadOnlyDictionary<string, Spread> Figures)
{
    /// <summary>The median of a figure; 0 when it was not measured.</summary>
    public double this[string figure] => Figures.TryGetValue(figure, out var spread) ? spread.Median : 0;
}
