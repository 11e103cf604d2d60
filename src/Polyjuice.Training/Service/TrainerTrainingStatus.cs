using System.Globalization;
using Polyjuice.Diagnostics;

namespace Polyjuice.Training.Service;

/// <summary>
/// How a trainer's training goes, for who shows it beside other things, such as the live view. Thread-safe.
/// </summary>
/// <param name="trainer">Whose.</param>
internal sealed class TrainerTrainingStatus(TrainerService trainer) : ITrainingStatus
{
    private volatile Shown? _shown;

    /// <inheritdoc/>
    public TrainingStatus Current
    {
        get
        {
            var status = trainer.Status;
            if (_shown is { } shown && shown.Of == status) return shown.As;
            _shown = shown = new Shown(status, Describe(status));
            return shown.As;
        }
    }

    /// <summary>What there is to say of a trainer's status.</summary>
    /// <param name="status">The status.</param>
    public static TrainingStatus Describe(TrainerStatus status)
    {
        ArgumentNullException.ThrowIfNull(status);
        var state = status.IsTraining
            ? string.Create(CultureInfo.InvariantCulture, $"training {status.Trainings + 1} is under way")
            : string.Create(
                CultureInfo.InvariantCulture, $"waiting for the next window; {status.WindowsSeen} were seen");
        var curve = status.Search.Select(
            static point => new TrainingCurvePoint(point.Evaluations, point.Best, point.Mean))
            .ToList();
        return new TrainingStatus(
            state,
            string.Join(
                ' ', new[] { status.Decision?.Reason, status.LastTraining }.Where(static text => text is not null)),
            status.Decision is null ? null : status.AliveAt,
            curve.Count == 0
                ? []
                : [new TrainingCurve(status.IsTraining ? "the search under way" : "the last search", curve)]);
    }

    private sealed record Shown(TrainerStatus Of, TrainingStatus As);
}
