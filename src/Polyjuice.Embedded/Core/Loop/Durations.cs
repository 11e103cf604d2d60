namespace Polyjuice.Embedded.Core;

/// <summary>Spans of time as the host counts them.</summary>
internal static class Durations
{
    /// <summary>A span of time in microseconds; infinite and overlong ones become a century.</summary>
    public static long Microseconds(TimeSpan time) =>
        time == Timeout.InfiniteTimeSpan || time > TimeSpan.FromDays(36_500)
            ? TimeSpan.FromDays(36_500).Ticks / TimeSpan.TicksPerMicrosecond
            : Math.Max(0, time.Ticks / TimeSpan.TicksPerMicrosecond);
}
