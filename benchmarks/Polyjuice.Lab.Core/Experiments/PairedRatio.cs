namespace Polyjuice.Lab.Experiments;

/// <summary>
/// A figure of every series over that of another one in the same panel, at the same x and in the same round, which
/// becomes a figure of its own. On a machine whose speed changes from one minute to the next, what two series make is
/// compared round by round; medians of either need not be of the same minute.
/// </summary>
/// <param name="Figure">Of which figure.</param>
/// <param name="Base">The series that the others are divided by.</param>
internal sealed record PairedRatio(string Figure, string Base)
{
    /// <summary>As a figure of <see cref="ExperimentPoint"/>.</summary>
    public string Name => $"{Figure} ÷ {Base}";
}
