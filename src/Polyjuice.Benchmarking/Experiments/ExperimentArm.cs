namespace Polyjuice.Benchmarking.Experiments;

/// <summary>One thing that an experiment measures, as often as it has rounds.</summary>
/// <param name="Panel">Which diagram it belongs to.</param>
/// <param name="Series">Which curve of that.</param>
/// <param name="X">Where on the curve.</param>
/// <param name="MeasureAsync">Measures it once, warm-up included, and gives its figures by name. Gets the number of the round, from 0 for one that warms the process up and does not count.</param>
public sealed record ExperimentArm(string Panel, string Series, double X, Func<int, CancellationToken, Task<IReadOnlyDictionary<string, double>>> MeasureAsync);
