using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Cluster.Calls;

/// <summary>The moments of a recording whose states are known.</summary>
internal static class RecordedStates
{
    /// <summary>
    /// The recording in parts each of which begins with known states; where none were recorded, its windows. Time of
    /// which nothing is known at the beginning is in none.
    /// </summary>
    /// <param name="trace">The recording.</param>
    public static IReadOnlyList<TraceWindow> WindowsOf(AccessTrace trace)
    {
        if (trace.States.IsEmpty) return trace.Windows;
        var begins = new List<long>();
        for (var at = StateImage.BeginAt(trace, 0); at is { } begin; at = StateImage.BeginAt(trace, begin + 1))
            begins.Add(begin);
        var windows = new List<TraceWindow>();
        foreach (var window in trace.Windows)
        {
            var within = begins.Where(window.Contains).ToArray();
            foreach (var (begin, end) in within.Zip(
                within.Skip(1).Append(window.EndMicroseconds))) windows.Add(new(begin, end));
        }

        return windows;
    }

    /// <summary>
    /// Makes logs with the states with which one of these began; <see langword="null"/> if none were recorded.
    /// </summary>
    /// <param name="trace">The recording.</param>
    public static Func<TraceWindow, int, GrainGroups, Task<MemoryLogStore>>? Of(AccessTrace trace) =>
        trace.States.IsEmpty
            ? null
            : (window, partitions, groups) => StateImage.Of(trace, window.StartMicroseconds)
                .ToLogsAsync(partitions, groups);
}
