using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Service.Collecting;

/// <summary>A window of which everything there is was read.</summary>
/// <param name="Window">Its number.</param>
/// <param name="Rate">Its conflict rate; <see langword="null"/> if too little of it was recorded.</param>
/// <param name="Trace">What was recorded of it; <see langword="null"/> if nothing was.</param>
internal sealed record CollectedWindow(long Window, double? Rate, AccessTrace? Trace);

/// <summary>A file that could not be used as it is.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Problem">Why, in a sentence without its full stop.</param>
internal sealed record TraceFileProblem(string Name, string Problem);

/// <summary>How far a collector is, for one that goes on after it.</summary>
/// <param name="NextWindow">All windows below it are done.</param>
/// <param name="Done">Of each recording, the highest number of a file that is done.</param>
internal sealed record CollectorPosition(long NextWindow, IReadOnlyDictionary<string, int> Done)
{
    /// <summary>Before anything was read.</summary>
    public static CollectorPosition Start { get; } = new(0, new Dictionary<string, int>());
}
