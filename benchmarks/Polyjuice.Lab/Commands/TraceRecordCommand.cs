using System.CommandLine;
using System.Globalization;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tracing;
using Polyjuice.Lab.Tool.Traces;
using Polyjuice.Tracing;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab trace record</c></summary>
internal static class TraceRecordCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var workload = new TracedWorkload(seconds: "10");
        var folder = new Option<string>("--out", "-o")
        {
            Description = "The folder for the trace's files, one for each silo and more if they grow large.",
            HelpName = "folder", Required = true
        };
        var command = new Command(
            "record", "Runs a workload on a cluster within this process, and records what its transactions access.")
        {
            folder
        };
        workload.AddTo(command);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var plan = workload.PlanOf(parsed);
            var options = workload.OptionsOf(parsed);
            var sink = new FileTraceSink(parsed.GetValue(folder)!);

            // A folder that can't be made must be known before the minutes, not after.
            Directory.CreateDirectory(sink.Folder);
            var output = parsed.InvocationConfiguration.Output;
            var result = await new TraceRun(
                PolyjuiceBenchmarkCluster.StartTraceableAsync, new SilentObserver()).RecordAsync(
                plan, options, sink, cancellationToken);
            Print(result, sink.Folder, output);
            return result.Check.Holds ? ExitCodes.Done : ExitCodes.No;
        });
        return command;
    }

    private static void Print(TraceRunResult result, string folder, TextWriter output)
    {
        var counts = result.Counts;
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{result.Sample.CommittedPerSecond:n0} committed/s for {result.Sample.Elapsed.TotalSeconds:0.0} s; "
            + $"{result.Check.Description}"));
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{counts.Attempts:n0} attempts and {counts.Accesses:n0} accesses in {counts.Files} file(s), "
            + $"{counts.Bytes:n0} bytes, in {folder}"));
        if (counts.Calls + counts.DroppedCalls > 0)
            output.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{counts.Calls:n0} calls with {counts.ArgumentBytes:n0} bytes of arguments; "
                    + $"{counts.DroppedCalls:n0} without, because those were too large or could not be serialised"));
        if (counts.States + counts.DroppedStates > 0)
            output.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{counts.States:n0} states with {counts.StateBytes:n0} bytes; {counts.DroppedStates:n0} were too "
                    + $"large or could not be serialised"));
        if (counts.DroppedRecords > 0)
            output.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"DROPPED: {counts.DroppedRecords:n0} records in {counts.DroppedWindows:n0} window(s); give it "
                    + $"more --chunks"));
    }
}
