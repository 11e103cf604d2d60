using System.Diagnostics;

namespace Polyjuice.Embedded.RealTime;

/// <summary>The process's clock in microseconds: a monotonic counter, anchored once to the wall clock.</summary>
internal static class Clock
{
    private static readonly long s_startTicks = Stopwatch.GetTimestamp();
    private static readonly long s_startUtc = (DateTime.UtcNow.Ticks - DateTime.UnixEpoch.Ticks) / TimeSpan.TicksPerMicrosecond;
    private static readonly double s_microsecondsPerTick = 1_000_000.0 / Stopwatch.Frequency;

    /// <summary>Microseconds since the Unix epoch.</summary>
    public static long UtcMicroseconds => s_startUtc + (long)((Stopwatch.GetTimestamp() - s_startTicks) * s_microsecondsPerTick);
}
