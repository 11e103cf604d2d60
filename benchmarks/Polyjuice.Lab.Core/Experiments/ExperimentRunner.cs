using System.Diagnostics;

namespace Polyjuice.Lab.Experiments;

/// <summary>
/// Measures arms in rounds: each round measures every arm once, and begins at another one, so that what the machine
/// does meanwhile falls on all alike. Those that can be measured in slices take turns with the others of their place
/// (<see cref="MeasuringTurns"/>). Before the first, some curves of each diagram are measured once to warm the process
/// up, which does not count.
/// </summary>
/// <param name="rounds">How many count; at least 1.</param>
/// <param name="progress">
/// Is told a line for each measurement: how far it is, how long it will still take, and what was found.
/// </param>
internal sealed class ExperimentRunner(int rounds, Action<string> progress)
{
    private const int FiguresNamedMax = 6;

    // What a workload runs is the same under every table but for little, and much of a short set would be warm-up.
    private const int WarmCurvesMax = 6;

    /// <summary>As <see cref="ExperimentPlan.Ratios"/>.</summary>
    public IReadOnlyList<PairedRatio> Ratios { get; init; } = [];

    /// <summary>
    /// Whether there is a round to warm up. Without it the first arms pay for the just-in-time compiler.
    /// </summary>
    public bool WarmsUp { get; init; } = true;

    private readonly List<(ExperimentArm Arm, List<IReadOnlyList<ArmSample>> Rounds)> _measured = [];

    /// <summary>What has been measured up to now, also after a failure.</summary>
    public IReadOnlyList<ExperimentPoint> Points
    {
        get
        {
            var curves = _measured.SelectMany(measured => PointsOf(measured.Arm, measured.Rounds)).ToList();
            return [
                .. curves.Select(point => point.Summed(Ratios.Select(ratio =>
                    (ratio, curves.FirstOrDefault(other => other.IsBeside(point) && other.Series == ratio.Base)))))
            ];
        }
    }

    /// <summary>Whether every arm has been measured in every round.</summary>
    public bool IsComplete { get; private set; }

    /// <summary>Runs all rounds. When it is cancelled, gives what has been measured by then. Called once.</summary>
    /// <param name="arms">What to measure.</param>
    /// <param name="cancellationToken">Ends early.</param>
    public async Task<IReadOnlyList<ExperimentPoint>> RunAsync(
        IReadOnlyList<ExperimentArm> arms, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(rounds, 1);
        _measured.AddRange(arms.Select(arm => (arm, new List<IReadOnlyList<ArmSample>>())));
        var order = Order(arms);
        var count = order.Sum(step => step.Arms.Count);
        var begun = Stopwatch.GetTimestamp();
        var done = 0;
        foreach (var (round, step) in order)
        {
            var samples = step.Count == 1
                ? [await arms[step[0]].MeasureAsync(round, cancellationToken)]
                : await InTurnsAsync([.. step.Select(at => arms[at])], round, cancellationToken);
            if (cancellationToken.IsCancellationRequested) return Points;
            done += step.Count;
            var left = Stopwatch.GetElapsedTime(begun) / done * (count - done);
            foreach (var (i, at) in step.Index())
            {
                if (round > 0) _measured[at].Rounds.Add(samples[i]);
                progress(
                    $"[{(round == 0 ? "warm-up" : $"{round}/{rounds}")}, {done - step.Count + i + 1} of {count}, "
                    + $"{(int)left.TotalMinutes}:{left.Seconds:00} left] {arms[at].Title}: {Text(samples[i])}");
            }
        }

        IsComplete = true;
        return Points;
    }

    private static async Task<IReadOnlyList<ArmSample>[]> InTurnsAsync(
        IReadOnlyList<ExperimentArm> arms, int round, CancellationToken cancellationToken)
    {
        var turns = new MeasuringTurns(arms.Count, round);
        return await Task.WhenAll(arms.Select(async (arm, i) =>
        {
            using var turn = turns.All[i];
            return await arm.MeasureInTurnsAsync!(round, turn, cancellationToken);
        }));
    }

    // Each round begins at another arm, so that no arm always follows the same other one.
    private List<(int Round, IReadOnlyList<int> Arms)> Order(IReadOnlyList<ExperimentArm> arms)
    {
        var order = new List<(int, IReadOnlyList<int>)>();
        foreach (var curves in WarmsUp
            ? arms.Index().DistinctBy(arm => (arm.Item.Panel, arm.Item.Series)).GroupBy(arm => arm.Item.Panel)
            : [])
        {
            // Spread evenly, because neighbours are alike.
            var first = curves.Select(arm => arm.Index).ToList();
            var count = Math.Min(WarmCurvesMax, first.Count);
            order.AddRange(
                Enumerable.Range(0, count).Select(i => (0, (IReadOnlyList<int>)[first[i * first.Count / count]])));
        }

        var steps = arms.Index()
            .GroupBy(
                arm => arm.Item.MeasureInTurnsAsync is null ? (object)arm.Index : (arm.Item.Panel, arm.Item.X),
                arm => arm.Index)
            .Select(step => step.ToList()).ToList();
        for (var round = 1; round <= rounds; round++)
        {
            var begin = round * steps.Count / (rounds + 1);
            for (var i = 0; i < steps.Count; i++) order.Add((round, steps[(begin + i) % steps.Count]));
        }

        return order;
    }

    private static string Text(IReadOnlyList<ArmSample> samples) => samples.Count == 1
        ? string.Join(
            ", ",
            samples[0].Figures.Take(FiguresNamedMax)
                .Select(f => FormattableString.Invariant($"{f.Key} {f.Value:0.###}")))
        : $"{samples.Count} points";

    private static IEnumerable<MeasuredPoint> PointsOf(ExperimentArm arm, List<IReadOnlyList<ArmSample>> rounds) =>
        rounds
            .SelectMany(samples => samples)
            .GroupBy(sample => (Panel: sample.Panel ?? arm.Panel, sample.X))
            .Select(
                at => new MeasuredPoint(at.Key.Panel, arm.Series, at.Key.X, [.. at.Select(sample => sample.Figures)]));
}
