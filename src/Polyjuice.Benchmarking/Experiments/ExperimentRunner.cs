namespace Polyjuice.Benchmarking.Experiments;

/// <summary>
/// Measures arms in rounds: each round measures every arm once, and begins at another one, so that what the machine does meanwhile falls on all alike. A first round warms the process up and does not count.
/// </summary>
/// <param name="rounds">How many count; at least 1.</param>
/// <param name="progress">Is told a line for each measurement.</param>
public sealed class ExperimentRunner(int rounds, Action<string> progress)
{
    /// <summary>Runs all rounds. When it is cancelled, gives what has been measured by then.</summary>
    /// <param name="arms">What to measure.</param>
    /// <param name="cancellationToken">Ends early.</param>
    public async Task<IReadOnlyList<ExperimentPoint>> RunAsync(IReadOnlyList<ExperimentArm> arms, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(rounds, 1);
        var measured = arms.Select(_ => new List<IReadOnlyDictionary<string, double>>()).ToArray();
        for (var round = 0; round <= rounds && !cancellationToken.IsCancellationRequested; round++)
        {
            for (var i = 0; i < arms.Count && !cancellationToken.IsCancellationRequested; i++)
            {
                var at = (i + (round * arms.Count / (rounds + 1))) % arms.Count;
                var arm = arms[at];
                var figures = await arm.MeasureAsync(round, cancellationToken);
                if (cancellationToken.IsCancellationRequested) break;
                if (round > 0) measured[at].Add(figures);
                progress(FormattableString.Invariant($"[{(round == 0 ? "warm-up" : $"{round}/{rounds}")}] {arm.Panel}, {arm.Series} at {arm.X}: {string.Join(", ", figures.Select(f => FormattableString.Invariant($"{f.Key} {f.Value:0.###}")))}"));
            }
        }

        return [.. arms.Zip(measured).Where(pair => pair.Second.Count > 0).Select(pair => PointOf(pair.First, pair.Second))];
    }

    private static ExperimentPoint PointOf(ExperimentArm arm, List<IReadOnlyDictionary<string, double>> rounds) =>
        new(arm.Panel, arm.Series, arm.X, rounds[0].Keys.ToDictionary(name => name, name => Spread.Of([.. rounds.Select(figures => figures.GetValueOrDefault(name))])));
}
