using Polyjuice.Benchmarking.Running;
using Spectre.Console;

namespace Polyjuice.Benchmarking.Reporting;

/// <summary>Shows a benchmark as it goes: a live table on a terminal, a line per interval where output is redirected.</summary>
public static class BenchmarkDisplay
{
    private const int RedirectedWidth = 180;

    /// <summary>A console on a writer: the terminal with all that it can do, or plain text where output is redirected.</summary>
    /// <param name="output">Where to write to.</param>
    public static IAnsiConsole CreateConsole(TextWriter output)
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

    /// <summary>Runs a benchmark with the display that suits the console.</summary>
    /// <param name="console">Where to show it.</param>
    /// <param name="run">Starts the benchmark with the observer that it is given.</param>
    public static async Task<BenchmarkResult> RunAsync(IAnsiConsole console, Func<IBenchmarkObserver, Task<BenchmarkResult>> run)
    {
        if (!console.Profile.Out.IsTerminal || !console.Profile.Capabilities.Interactive) return await run(new LineDisplay(console));
        BenchmarkResult? result = null;
        await console.Live(new Text("starting…")).AutoClear(true).StartAsync(async live => result = await run(new LiveTable(live)));
        return result!;
    }
}
