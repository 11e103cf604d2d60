using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Polyjuice.Tests.Shared;

/// <summary>
/// How long something takes if the machine does nothing else: the processor time of the calling thread, where that can
/// be had (Linux), and else the time that passes. For tests that bound the work of a computation on one thread, which
/// must not fail because somebody else has the processors.
/// </summary>
public static class ThreadTime
{
    private const int ThreadProcessorTime = 3;

    /// <summary>The time now, from a beginning of its own; only differences on one thread say something.</summary>
    /// <exception cref="InvalidOperationException">The system does not tell.</exception>
    public static TimeSpan Now
    {
        get
        {
            if (!OperatingSystem.IsLinux()) return Stopwatch.GetElapsedTime(0);
            if (GetTime(ThreadProcessorTime, out var time) != 0)
                throw new InvalidOperationException(
                    $"clock_gettime has failed with error {Marshal.GetLastPInvokeError()}.");
            return TimeSpan.FromSeconds(time.Seconds) + TimeSpan.FromMicroseconds(time.Nanoseconds / 1_000);
        }
    }

    [DllImport("libc", EntryPoint = "clock_gettime", SetLastError = true)]
    private static extern int GetTime(int clock, out TimeSpec time);

    [StructLayout(LayoutKind.Sequential)]
    private struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}
