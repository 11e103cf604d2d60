using System.Diagnostics;
using System.Globalization;

namespace Polyjuice.Orleans.Benchmarks.Plain;

/// <summary>One arm of <see cref="PlainRun"/> in a process of its own: a line on its input asks for a slice of load, a line on its output says what that has shown; it ends with its input.</summary>
internal static class PlainWorker
{
    /// <summary>What it says when its silo serves.</summary>
    public const string Ready = "ready";

    /// <summary>Serves.</summary>
    public static async Task RunAsync(Settings settings)
    {
        var parameters = settings.Cases.First();
        await using var cluster = await BankCluster.StartAsync(parameters, settings.Arms[0], Measurement.NextPort(parameters));
        Console.WriteLine(Ready);
        while (await Console.In.ReadLineAsync() is { } line)
        {
            var parts = line.Split(' ');
            var shape = PlainShape.All.First(shape => shape.Name == parts[0]);
            GC.Collect(0);
            Console.WriteLine((await SliceAsync(cluster, shape, parameters.Clients, TimeSpan.FromSeconds(double.Parse(parts[1], CultureInfo.InvariantCulture)))).ToLine());
        }
    }

    private static async Task<Slice> SliceAsync(BankCluster cluster, PlainShape shape, int callers, TimeSpan length)
    {
        var process = Process.GetCurrentProcess();
        var cpu = process.TotalProcessorTime;
        var start = Stopwatch.GetTimestamp();
        var counts = await Task.WhenAll(Enumerable.Range(0, callers).Select(caller => Task.Run(async () =>
        {
            long count = 0;
            for (; Stopwatch.GetElapsedTime(start) < length; count += shape.Calls) await shape.RunAsync(cluster.Grains, caller);
            return count;
        })));
        var seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        process.Refresh();
        var calls = counts.Sum();
        return new(calls / seconds, (process.TotalProcessorTime - cpu).TotalMicroseconds / calls);
    }
}
