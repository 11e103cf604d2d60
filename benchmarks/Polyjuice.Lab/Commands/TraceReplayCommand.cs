using System.CommandLine;
using System.Globalization;
using Polyjuice.Contracts;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Reporting;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tracing;
using Polyjuice.Lab.Tool.Traces;
using Polyjuice.Tracing;
using Polyjuice.Training.Calls;
using Polyjuice.Training.Traces;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab trace replay</c></summary>
internal static class TraceReplayCommand
{
    private const double MicrosecondsPerSecond = 1e6;

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var paths = TraceInput.Paths();
        var workload = new Option<string>("--workload", "-w")
        {
            Description = "Whose grains are called, and who loads their states: "
                + string.Join(", ", BenchCommand.Workloads.All.Where(w => w.HasTransactions).Select(w => w.Name))
                + ". With the sizes that it was recorded with.",
            Required = true,
        };
        var policy = Text(
            "--policy", "occ",
            "Policies to compare: names of built-in ones, policy files, or all; separated by commas.");
        var arrivals = new Option<bool>("--arrivals")
        {
            Description = "Calls arrive as they were recorded, instead of in a closed loop of --clients."
        };
        var speed = Text("--speed", "1", "With --arrivals: how many times as fast.");
        var repeat = Text("--repeat", "3", "Rounds; medians are reported, with the slowest and fastest round.");
        var sizes = new WorkloadOptions();
        var json = new Option<string?>("--json")
        {
            Description = "Writes the rows to this file, as a JSON array.", HelpName = "file"
        };
        var command = new Command(
            "replay",
            "Makes recorded calls again, with the grains of a workload, under each policy in turn. The trace must have "
            + "been recorded with --calls.")
        {
            paths, workload, policy, arrivals, speed, repeat, json
        };
        sizes.AddTo(command);
        command.SetAction((parsed, cancellationToken) =>
        {
            var definition = BenchmarkInput.Workload(BenchCommand.Workloads, parsed.GetValue(workload)!);
            if (!definition.HasTransactions)
                throw new CommandInputException(
                    $"{definition.Name} has no transactions, so there is nothing to replay.");
            var factor = parsed.Number(speed, 0.001, 1_000);
            var options = new CallReplayOptions
            {
                Clients = sizes.ClientsOf(parsed), Speed = parsed.GetValue(arrivals) ? factor : 0
            };
            var plan = new BenchmarkPlan
            {
                Workload = definition,
                Policies = CommandInput.Policies(parsed.GetValue(policy)!),
                Thetas = [0],
                Shape = sizes.ShapeOf(parsed),
                Clients = options.Clients,
                ProcessWarmup = TimeSpan.FromSeconds(1),
                Repeat = parsed.Whole(repeat, 1, 1_000),
                IncludePlain = false,
                Parameters = sizes.ParametersOf(parsed),
                Seed = sizes.SeedOf(parsed),
            };
            return EndedEarly.ReadingAsync(
                async token =>
                {
                    var trace = TraceInput.Read(parsed, paths, token).Trace;
                    if (trace.ArgumentEncoding.Length == 0)
                        throw new CommandInputException(
                            "The trace has no calls, so nothing can be replayed: record it with 'trace record "
                            + $"{definition.Name} --calls', or "
                            + $"{nameof(TraceRecorderOptions)}.{nameof(TraceRecorderOptions.RecordsCalls)}.");
                    return await RunAsync(
                        plan with { Rate = options.Speed > 0 ? RateOf(trace) * options.Speed : null },
                        trace,
                        options,
                        parsed.GetValue(json),
                        parsed.InvocationConfiguration.Output,
                        token);
                },
                parsed.InvocationConfiguration.Error,
                cancellationToken);
        });
        return command;
    }

    private static async Task<int> RunAsync(
        BenchmarkPlan plan, AccessTrace trace, CallReplayOptions options, string? jsonFile, TextWriter output,
        CancellationToken cancellationToken)
    {
        // A file that cannot be written must be known before the minutes, not after.
        if (jsonFile is not null) await File.WriteAllTextAsync(jsonFile, "[]\n", CancellationToken.None);
        var result = await BenchmarkDisplay.ReplayAsync(
            output,
            observer => new CallReplayRun(PolyjuiceBenchmarkCluster.StartTraceableAsync, observer).RunAsync(
                plan, trace, options, cancellationToken));
        if (jsonFile is not null)
            await File.WriteAllTextAsync(jsonFile, RowJson.Write(result.Benchmark.Rows), CancellationToken.None);
        foreach (var (name, replay) in result.Replays.DistinctBy(replay => replay.Policy)) Print(
            name, replay, options, output);
        if (result.Replays.Count > 0) PrintNotMade(result.Replays[0].Result, output);
        cancellationToken.ThrowIfCancellationRequested();
        return result.Benchmark.InvariantHeld && result.Replays.All(replay => replay.Result.Made > 0)
            ? ExitCodes.Done
            : ExitCodes.No;
    }

    private static void Print(string policy, CallReplayResult replay, CallReplayOptions options, TextWriter output)
    {
        void Line(FormattableString text) => output.WriteLine(text.ToString(CultureInfo.InvariantCulture));

        var why = replay.Reasons.Count > 0
            ? $" ({string.Join(", ", replay.Reasons.Select(reason => $"{reason.Key} {reason.Value.ToString("n0", CultureInfo.InvariantCulture)}"))})"
            : "";
        Line(
            $"{policy}, first round: {replay.Made:n0} calls of {replay.Methods.Count} methods; {replay.Committed:n0} committed, {replay.Count(CallOutcome.Refused):n0} refused by the application, {replay.Count(CallOutcome.GivenUp):n0} given up, {replay.Count(CallOutcome.InDoubt):n0} in doubt{why}; {replay.Repeats:n0} repeats");
        if (options.Speed > 0)
            Line(
                $"{policy}, first round: {replay.Late:n0} calls were made more than {options.LateAfter.TotalMilliseconds:0} ms late, the latest by {replay.LatestBy.TotalMilliseconds:n0} ms");
    }

    private static void PrintNotMade(CallReplayResult replay, TextWriter output)
    {
        foreach (var (what, count) in replay.NotMade) output.WriteLine(
            string.Create(CultureInfo.InvariantCulture, $"NOT MADE: {count:n0} of {what}"));
    }

    private static double RateOf(AccessTrace trace) =>
        trace.Transactions.Length / Math.Max(
            1 / MicrosecondsPerSecond, trace.RecordedMicroseconds / MicrosecondsPerSecond);
}
