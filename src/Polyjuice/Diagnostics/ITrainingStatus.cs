namespace Polyjuice.Diagnostics;

/// <summary>
/// How training goes, for who wants to show it. Whoever trains implements it; thread-safe, and returns at once.
/// </summary>
internal interface ITrainingStatus
{
    /// <summary>What there is to say now; another object when that has changed.</summary>
    TrainingStatus Current { get; }
}

/// <summary>What is to be said of training at one time.</summary>
/// <param name="State">What goes on, in a few words ("searching", "waiting for the next window").</param>
/// <param name="Decision">What was decided last, and why; empty before the first decision.</param>
/// <param name="DecidedAt">As of when; <see langword="null"/> before the first decision.</param>
/// <param name="Curves">The searches' curves so far.</param>
internal sealed record TrainingStatus(
    string State, string Decision, DateTimeOffset? DecidedAt, IReadOnlyList<TrainingCurve> Curves);

/// <summary>One search's curve.</summary>
/// <param name="Name">The search's name.</param>
/// <param name="Points">In the order of evaluations.</param>
internal sealed record TrainingCurve(string Name, IReadOnlyList<TrainingCurvePoint> Points);

/// <summary>How far a search was at one time.</summary>
/// <param name="Evaluations">Replays by then.</param>
/// <param name="Best">The best table's score, in committed transactions a (virtual) second.</param>
/// <param name="Mean">The mean over the tables of the iteration, in the same unit.</param>
internal sealed record TrainingCurvePoint(long Evaluations, double Best, double Mean);
