using System.CommandLine;
using System.Globalization;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Experiments;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tracing;
using Polyjuice.Lab.Tool.Traces;
using Polyjuice.Tracing;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab trace cost</c></summary>
internal static class TraceCostCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var workload = new TracedWorkload(seconds: "2");
        var pairs = CommandOptions.Text("--pairs", "8", "Pairs of intervals, with and without recording.");
        var callsAlone = new Option<bool>("--calls-alone")
        {
            Description =
                "Records in the other interval of each pair, too, but without calls: what is left is what "
                + "--calls costs."
        };
        var folder = new Option<string?>("--out", "-o")
        {
            Description =
                "Keeps the files in this folder. Default: a folder of their own among the temporary ones, which "
                + "is deleted.",
            HelpName = "folder"
        };
        var command = new Command(
            "cost",
            "Measures what recording costs: throughput with it by throughput without, in pairs of intervals on "
            + "one cluster.")
        {
            pairs, callsAlone, folder
        };
        workload.AddTo(command);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var plan = workload.PlanOf(parsed) with { Repeat = parsed.Whole(pairs, 1, 1_000) };
            var options = workload.OptionsOf(parsed);
            if (parsed.GetValue(callsAlone) && !options.RecordsCalls)
                throw new CommandInputException($"{callsAlone.Name} measures what --calls costs: add that.");
            var baseline = parsed.GetValue(callsAlone) ? workload.OptionsOf(parsed) : null;
            if (baseline is not null) baseline.RecordsCalls = false;
            var kept = parsed.GetValue(folder);
            var sink = new FileTraceSink(
                kept ?? Path.Combine(Path.GetTempPath(), $"trace-cost-{Environment.ProcessId}"));
            Directory.CreateDirectory(sink.Folder);
            try
            {
                return await RunAsync(
                    plan, options, baseline, sink, parsed.InvocationConfiguration.Output, cancellationToken);
            }
            finally
            {
                if (kept is null) Directory.Delete(sink.Folder, recursive: true);
            }
        });
        return command;
    }

    private static async Task<int> RunAsync(
        BenchmarkPlan plan, TraceRecorderOptions options, TraceRecorderOptions? baseline, ITraceSink sink,
        TextWriter output, CancellationToken cancellationToken)
    {
        void Line(FormattableString text) => output.WriteLine(text.ToString(CultureInfo.InvariantCulture));

        Line(
            $"{plan.Workload.Name} θ {plan.Thetas[0]}, {plan.Policies[0].Name}, {plan.Shape.Silos} silos, {plan.Clients} clients, {(plan.OperationsPerInterval is { } transactions ? $"{transactions:n0} transactions" : $"{plan.Measured.TotalSeconds} s")} each");
        var cost = new TraceCost(PolyjuiceBenchmarkCluster.StartTraceableAsync, pair => Line(
            $"{pair.Round,3}: {pair.Without.CommittedPerSecond,9:n0}/s without, {pair.With.CommittedPerSecond,9:n0}/s with: {pair.Ratio:0.000}; {pair.Without.ProcessorMicroseconds:0.00} and {pair.With.ProcessorMicroseconds:0.00} µs of processors each; {pair.Without.FullCollections} and {pair.With.FullCollections} full collections"))
        {
            Baseline = baseline,
        };
        var result = await cost.RunAsync(plan, options, sink, cancellationToken);
        if (result.Pairs.Count > 0)
        {
            var ratio = Spread.Of([.. result.Pairs.Select(pair => pair.Ratio)]);
            var used = Spread.Of([
                .. result.Pairs.Select(pair => pair.With.ProcessorMicroseconds / pair.Without.ProcessorMicroseconds)
            ]);
            Line(
                $"throughput with by without: median {ratio.Median:0.000} ({ratio.Least:0.000} to {ratio.Most:0.000}); processor time for each: median {used.Median:0.000} ({used.Least:0.000} to {used.Most:0.000})");
        }

        var counts = result.Counts;
        Line(
            $"{counts.Attempts:n0} attempts and {counts.Accesses:n0} accesses, {counts.Bytes:n0} bytes; dropped {counts.DroppedRecords:n0} records in {counts.DroppedWindows:n0} windows; {result.Check.Description}");
        return result.Check.Holds && counts.DroppedRecords == 0 ? ExitCodes.Done : ExitCodes.No;
    }
}
