using System.Diagnostics;

namespace Polyjuice.Lab.Experiments;

/// <summary>Runs an experiment from its plan to its result.</summary>
internal static class ExperimentSession
{
    /// <summary>
    /// Runs it. What goes wrong in an arm is not thrown: a broken invariant ends the experiment and is its
    /// <see cref="ExperimentResult.Failure"/>, so that the others of a set are still measured.
    /// </summary>
    /// <param name="experiment">Which.</param>
    /// <param name="scale">How long it may take.</param>
    /// <param name="progress">Is told lines for people.</param>
    /// <param name="cancellationToken">Ends early, with what has been measured.</param>
    public static async Task<ExperimentResult> RunAsync(
        IExperiment experiment, ExperimentScale scale, Action<string> progress, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(experiment);
        ArgumentNullException.ThrowIfNull(scale);
        var plan = experiment.Plan(scale);
        progress(
            $"{experiment.Name}: {plan.Arms.Count} arms, {plan.Rounds} "
            + $"round(s){(plan.WarmsUp ? ", and one to warm up" : "")}. {experiment.Description}");
        var begun = Stopwatch.GetTimestamp();
        var runner = new ExperimentRunner(plan.Rounds, progress) { WarmsUp = plan.WarmsUp, Ratios = plan.Ratios };
        string? failure = null;
        try
        {
            await runner.RunAsync(plan.Arms, cancellationToken);
        }
        catch (Exception exception)
        {
            // What a measurement says of itself is a sentence; of anything else it matters where it came from. Whoever
            // runs a set for hours wants the rest of it in either case.
            failure = exception is InvalidOperationException ? exception.Message : exception.ToString();
        }

        var points = runner.Points;
        return new ExperimentResult
        {
            Experiment = experiment.Name, Description = experiment.Description, Scale = scale.Name,
            IsSimulated = plan.IsSimulated, IsComplete = runner.IsComplete, Failure = failure,
            MeasuredAt = DateTimeOffset.UtcNow, Seconds = Math.Round(Stopwatch.GetElapsedTime(begun).TotalSeconds, 1),
            Settings = plan.Settings, Panels = plan.Panels, Drawn = plan.Drawn, Points = points,
            // Half of what was to be compared would say something that is not so; and what was measured for an instant
            // says whether it works, and nothing of claims.
            Findings = !runner.IsComplete
                ? []
                : [
                    .. plan.Findings(points)
                    .Select(
                        finding => scale.Name == ExperimentScale.Brief.Name ? finding with { Holds = null } : finding)
                ],
        };
    }
}
