using System.Diagnostics;

namespace Polyjuice.Lab.Chaos;

/// <summary>
/// Time without that for which the clients' process has stood still since this was first asked: calls end by that
/// clock, too. On the clients' thread.
/// </summary>
/// <param name="times">Who watches the process.</param>
internal sealed class AwakeTime(CallTimes times)
{
    private TimeSpan? _before;

    /// <summary>For how long it has stood still since.</summary>
    public TimeSpan Stalled => times.Stalled - (_before ??= times.Stalled);

    /// <summary>How long ago something was.</summary>
    /// <param name="timestamp">When, by <see cref="Stopwatch"/>.</param>
    public TimeSpan Since(long timestamp) => Stopwatch.GetElapsedTime(timestamp) - Stalled;
}
