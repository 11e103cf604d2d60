namespace Polyjuice.Lab.Experiments;

/// <summary>What one measurement of an arm found at one place on the x axis.</summary>
/// <param name="X">Where.</param>
/// <param name="Figures">By name.</param>
internal sealed record ArmSample(double X, IReadOnlyDictionary<string, double> Figures)
{
    /// <summary>Another diagram than the arm's own; <see langword="null"/> for that one.</summary>
    public string? Panel { get; init; }
}
