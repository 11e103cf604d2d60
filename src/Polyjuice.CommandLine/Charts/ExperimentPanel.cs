namespace Polyjuice.CommandLine;

/// <summary>A diagram.</summary>
/// <param name="Name">As in <see cref="ExperimentPoint.Panel"/>.</param>
/// <param name="XLabel">What x is.</param>
/// <param name="Kind">How it is drawn.</param>
internal sealed record ExperimentPanel(string Name, string XLabel, ChartKind Kind = ChartKind.Curves)
{
    /// <summary>Where on the x axis something was changed, and to what.</summary>
    public IReadOnlyList<ChartMark> Marks { get; init; } = [];
}

/// <summary>A place on the x axis.</summary>
/// <param name="X">Where.</param>
/// <param name="Label">What begins there.</param>
internal sealed record ChartMark(double X, string Label);

/// <summary>A figure of points that is drawn.</summary>
/// <param name="Figure">Its name.</param>
/// <param name="Title">Above the chart.</param>
internal sealed record DrawnFigure(string Figure, string Title);

/// <summary>How a diagram is drawn.</summary>
internal enum ChartKind
{
    /// <summary>A curve for each series.</summary>
    Curves,

    /// <summary>The same, x by powers.</summary>
    LogarithmicCurves,

    /// <summary>Curves of many points, without marks.</summary>
    Time,

    /// <summary>A bar for each series at each x.</summary>
    Bars,
}
