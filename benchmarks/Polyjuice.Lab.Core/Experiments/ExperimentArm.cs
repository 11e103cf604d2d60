namespace Polyjuice.Lab.Experiments;

/// <summary>One thing that an experiment measures, as often as it has rounds.</summary>
/// <param name="Panel">Which diagram it belongs to.</param>
/// <param name="Series">Which curve of that.</param>
/// <param name="MeasureAsync">
/// Measures it once, warm-up included. Gets the number of the round,
/// from 0 for one that warms the process up and does not count.
/// </param>
internal sealed record ExperimentArm(
    string Panel, string Series, Func<int, CancellationToken, Task<IReadOnlyList<ArmSample>>> MeasureAsync)
{
    /// <summary>An arm with one place on the x axis.</summary>
    /// <param name="panel">Which diagram it belongs to.</param>
    /// <param name="series">Which curve of that.</param>
    /// <param name="x">Where on the curve.</param>
    /// <param name="measureAsync">Measures it once and gives figures by name.</param>
    public ExperimentArm(
        string panel, string series, double x,
        Func<int, CancellationToken, Task<IReadOnlyDictionary<string, double>>> measureAsync)
        : this(
            panel,
            series,
            async (round, cancellationToken) => [new ArmSample(x, await measureAsync(round, cancellationToken))]) =>
            X = x;

    /// <summary>
    /// An arm with one place on the x axis that is measured in slices, by turns with all others of that place.
    /// </summary>
    /// <param name="panel">Which diagram it belongs to.</param>
    /// <param name="series">Which curve of that.</param>
    /// <param name="x">Where on the curve.</param>
    /// <param name="measureAsync">
    /// Measures it once and gives figures by name; does only while it is its turn what the machine's speed matters for.
    /// </param>
    public ExperimentArm(
        string panel, string series, double x,
        Func<int, MeasuringTurn, CancellationToken, Task<IReadOnlyDictionary<string, double>>> measureAsync)
        : this(panel, series, x, async (round, cancellationToken) =>
        {
            using var turn = MeasuringTurns.Alone();
            return await measureAsync(round, turn, cancellationToken);
        }) =>
            MeasureInTurnsAsync = async (round, turn, cancellationToken) => [
                new ArmSample(x, await measureAsync(round, turn, cancellationToken))
            ];

    /// <summary>Measures it once beside others; <see langword="null"/> for what is measured by itself.</summary>
    public Func<int, MeasuringTurn, CancellationToken, Task<IReadOnlyList<ArmSample>>>? MeasureInTurnsAsync { get; }

    /// <summary>Where on the curve; <see langword="null"/> if a measurement is a curve by itself, over time.</summary>
    public double? X { get; }

    internal string Title =>
        X is { } x ? FormattableString.Invariant($"{Panel}, {Series} at {x:0.####}") : $"{Panel}, {Series}";
}
