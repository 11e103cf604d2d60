using System.Diagnostics;
using System.Runtime.InteropServices;
using Polyjuice.Benchmarking.Simulated;
using Polyjuice.Policies;
using Smallbank.Workload;
using Xunit.Abstractions;

namespace Smallbank.Tests.Simulated;

public class SimulatedSpeedTests(ITestOutputHelper output)
{
    private const int ThreadProcessorTime = 3;

    [Fact]
    public void Light_load_runs_at_least_fifty_times_as_fast_as_real_time()
    {
        // Four clients that pause for up to half a second after each transaction. The first rounds are slow: their code is being compiled.
        var best = 0.0;
        for (var round = 0; round < 4; round++)
        {
            var begin = Now();
            var result = SimulatedWorkload.Run(new SimulatedCase
            {
                Workload = SmallbankWorkload.Smallbank,
                Policy = BuiltinPolicies.Get("ic3"),
                Seed = 7,
                Clients = 4,
                ThinkMax = 500_000,
                Operations = 1_000,
            });
            var took = Now() - begin;
            output.WriteLine($"{result.Virtual.TotalSeconds:F1} s of virtual time in {took.TotalSeconds:F2} s: {result.Virtual / took:F0} times real time");
            best = Math.Max(best, result.Virtual / took);
        }

        Assert.True(best >= 50, $"{best:F0} times real time at best");
    }

    // Where it can be had, the thread's processor time: what it would take if the machine did nothing else.
    private static TimeSpan Now()
    {
        if (!OperatingSystem.IsLinux()) return Stopwatch.GetElapsedTime(0);
        Assert.Equal(0, GetTime(ThreadProcessorTime, out var time));
        return TimeSpan.FromSeconds(time.Seconds) + TimeSpan.FromMicroseconds(time.Nanoseconds / 1_000);
    }

    [DllImport("libc", EntryPoint = "clock_gettime")]
    private static extern int GetTime(int clock, out TimeSpec time);

    [StructLayout(LayoutKind.Sequential)]
    private struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}
