using System.Collections.Concurrent;

namespace Polyjuice.Orleans.Tests.GrainCode;

/// <summary>Named events between tests and the grains that they call; names are unique per test.</summary>
internal static class Signals
{
    private static readonly ConcurrentDictionary<string, TaskCompletionSource> s_signals = new();

    public static void Set(string name) => Of(name).TrySetResult();

    /// <summary>
    /// Completes when the event was set. Waits two minutes at the most, so that a broken test fails rather than hangs.
    /// </summary>
    public static Task WaitAsync(string name) => Of(name).Task.WaitAsync(TimeSpan.FromMinutes(2));

    public static bool IsSet(string name) => Of(name).Task.IsCompleted;

    private static TaskCompletionSource Of(string name) =>
        s_signals.GetOrAdd(name, static _ => new(TaskCreationOptions.RunContinuationsAsynchronously));
}
