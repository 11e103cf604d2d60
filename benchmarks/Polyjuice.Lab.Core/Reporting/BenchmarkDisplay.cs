using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tracing;
using Spectre.Console;

namespace Polyjuice.Lab.Reporting;

/// <summary>
/// Shows a benchmark as it goes: a live table on a terminal, a line per interval where output is redirected.
/// </summary>
internal static class BenchmarkDisplay
{
    private const int RedirectedWidth = 180;

    /// <summary>Runs a plan with the display that suits the output, and writes its table there.</summary>
    /// <param name="output">Where to show it.</param>
    /// <param name="plan">What to measure.</param>
    /// <param name="start">Starts a cluster.</param>
    /// <param name="cancellationToken">Ends early, with what has been measured.</param>
    /// <exception cref="InvalidOperationException">Operations hang.</exception>
    public static async Task<BenchmarkResult> RunAsync(
        TextWriter output, BenchmarkPlan plan, Func<ClusterShape, Task<IBenchmarkCluster>> start,
        CancellationToken cancellationToken)
    {
        var result = await MeasureAsync(output, plan, start, cancellationToken);
        ResultTable.Write(CreateConsole(output), result);
        return result;
    }

    /// <summary>The same without the table, for who writes one of their own.</summary>
    /// <param name="output">Where to show how it goes.</param>
    /// <param name="plan">What to measure.</param>
    /// <param name="start">Starts a cluster.</param>
    /// <param name="cancellationToken">Ends early, with what has been measured.</param>
    /// <exception cref="InvalidOperationException">Operations hang.</exception>
    public static Task<BenchmarkResult> MeasureAsync(
        TextWriter output, BenchmarkPlan plan, Func<ClusterShape, Task<IBenchmarkCluster>> start,
        CancellationToken cancellationToken) =>
        ObserveAsync(
            CreateConsole(output), observer => new BenchmarkRunner(start, observer).RunAsync(plan, cancellationToken));

    /// <summary>Replays recorded calls with the display that suits the output, and writes the table there.</summary>
    /// <param name="output">Where to show it.</param>
    /// <param name="replay">Runs with an observer.</param>
    public static async Task<CallReplayRunResult> ReplayAsync(
        TextWriter output, Func<IBenchmarkObserver, Task<CallReplayRunResult>> replay)
    {
        ArgumentNullException.ThrowIfNull(replay);
        CallReplayRunResult? result = null;
        await ObserveAsync(CreateConsole(output), async observer => (result = await replay(observer)).Benchmark);
        ResultTable.Write(CreateConsole(output), result!.Benchmark);
        return result;
    }

    /// <summary>
    /// A console on a writer: the terminal with all that it can do, or plain text where output is redirected.
    /// </summary>
    /// <param name="output">Where to write to.</param>
    internal static IAnsiConsole CreateConsole(TextWriter output)
    {
        if (ReferenceEquals(output, Console.Out) && !Console.IsOutputRedirected) return AnsiConsole.Console;
        var console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = AnsiSupport.No,
            ColorSystem = ColorSystemSupport.NoColors,
            Interactive = InteractionSupport.No,
            Out = new AnsiConsoleOutput(output),
        });
        // Redirected output has no width of its own, and the usual 80 columns would wrap tables and lines.
        console.Profile.Width = RedirectedWidth;
        return console;
    }

    private static async Task<BenchmarkResult> ObserveAsync(
        IAnsiConsole console, Func<IBenchmarkObserver, Task<BenchmarkResult>> run)
    {
        if (!console.Profile.Out.IsTerminal || !console.Profile.Capabilities.Interactive)
            return await run(new LineDisplay(console));
        BenchmarkResult? result = null;
        await console.Live(new Text("starting…")).AutoClear(true)
            .StartAsync(async live => result = await run(new LiveTable(live)));
        return result!;
    }
}
