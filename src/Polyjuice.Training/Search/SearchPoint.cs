namespace Polyjuice.Training.Search;

/// <summary>How far a search was at one time.</summary>
/// <param name="Iteration">From 0, the tables that it begins with.</param>
/// <param name="Evaluations">Replays by then.</param>
/// <param name="Elapsed">Time by then, earlier runs of a resumed search included.</param>
/// <param name="Best">The best table's score, as a mean over the seeds that it was replayed with.</param>
/// <param name="Mean">The mean over the tables of the iteration.</param>
internal readonly record struct SearchPoint(
    int Iteration, long Evaluations, TimeSpan Elapsed, double Best, double Mean);
