namespace Polyjuice.CommandLine;

/// <summary>What an arm came to.</summary>
/// <param name="Panel">Which diagram it belongs to.</param>
/// <param name="Series">Which curve of that.</param>
/// <param name="X">Where on the curve.</param>
/// <param name="Figures">By name.</param>
internal sealed record ExperimentPoint(
    string Panel, string Series, double X, IReadOnlyDictionary<string, Spread> Figures)
{
    /// <summary>The median of a figure; 0 when it was not measured.</summary>
    public double this[string figure] => Figures.TryGetValue(figure, out var spread) ? spread.Median : 0;
}
