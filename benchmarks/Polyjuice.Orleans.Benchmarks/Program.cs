using System.Runtime.InteropServices;
using Polyjuice.Orleans.Benchmarks;
using Polyjuice.Orleans.Benchmarks.Plain;

// docs/orleans.md says what there is to measure, and how.
using var stop = new CancellationTokenSource();
Console.CancelKeyPress += (_, pressed) =>
{
    pressed.Cancel = true;
    stop.Cancel();
};

// Each silo's host takes this signal for its own, and nobody else would hear of it.
using var terminated = PosixSignalRegistration.Create(PosixSignal.SIGTERM, context =>
{
    context.Cancel = true;
    stop.Cancel();
});
try
{
    var settings = Settings.Parse(args);
    switch (settings.Command)
    {
        case "plain":
            return await PlainRun.RunAsync(settings, stop.Token) ? 0 : 1;
        case "plain-worker":
            await PlainWorker.RunAsync(settings);
            return 0;
        case "table":
            Report.Grid(ResultFile.Open(settings.Json).Results);
            return 0;
        default:
            return await Runs.CasesAsync(settings, stop.Token) ? 0 : 1;
    }
}
catch (Exception exception) when (exception is ArgumentException or FormatException)
{
    Console.Error.WriteLine(exception.Message);
    return 2;
}
catch (OperationCanceledException) when (stop.IsCancellationRequested)
{
    return 130;
}
