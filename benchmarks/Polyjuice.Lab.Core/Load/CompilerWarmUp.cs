using System.Diagnostics;

namespace Polyjuice.Lab.Load;

/// <summary>
/// What runs first in a process pays for the just-in-time compiler, whichever arm that is, and for longer than a
/// second: on Orleans, the first case of a process was measured at a third of what it makes a minute later. So all arms
/// take turns, unmeasured, until the compiler has little left to do.
/// </summary>
public static class CompilerWarmUp
{
    /// <summary>
    /// The share of one processor that the just-in-time compiler may still take when measuring begins.
    /// </summary>
    private const double CompilingMax = 0.03;

    /// <summary>Warms the process up.</summary>
    /// <param name="turn">Lets all arms run once.</param>
    /// <param name="longest">No turn begins after so long.</param>
    /// <param name="compilationTime">
    /// How long the compiler has worked in all: <see cref="System.Runtime.JitInfo.GetCompilationTime"/>.
    /// </param>
    /// <param name="cancellationToken">No turn begins after that either.</param>
    public static async Task RunAsync(
        Func<Task> turn, TimeSpan longest, Func<TimeSpan> compilationTime, CancellationToken cancellationToken)
    {
        var begun = Stopwatch.GetTimestamp();
        double compiling;
        do
        {
            var start = Stopwatch.GetTimestamp();
            var compiled = compilationTime();
            await turn();
            compiling = (compilationTime() - compiled) / Stopwatch.GetElapsedTime(start);
        }
        while (compiling > CompilingMax && Stopwatch.GetElapsedTime(begun) < longest
            && !cancellationToken.IsCancellationRequested);
    }
}
