using System.Globalization;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tracing;
using Polyjuice.Lab.Training;
using Polyjuice.Policies;
using Polyjuice.Tracing;
using Polyjuice.Training.Provenance;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;
using Polyjuice.Training.Traces;

namespace Polyjuice.Lab.Tool.Training;

/// <summary>What is trained on: a trace that was recorded, or that is recorded now.</summary>
internal static class RecordedInput
{
    /// <summary>The tables that costs are fitted with: one that wastes little work, and one that wastes much.</summary>
    private static readonly string[] _fitted = ["occ", "dirty-public"];

    /// <summary>Reads a trace, or records one.</summary>
    /// <param name="files">The trace's files; none if it is to be recorded.</param>
    /// <param name="run">The workload to be recorded.</param>
    /// <param name="settings">The replay.</param>
    /// <param name="calibrates">Whether costs are to be fitted to short runs of the workload.</param>
    /// <param name="seed">Of replays that costs are fitted with.</param>
    /// <param name="output">Where to say what was done.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="ArgumentException">
    /// The trace is too short, or costs are to be fitted and there is no workload to run.
    /// </exception>
    /// <exception cref="IOException">The trace cannot be read.</exception>
    public static async Task<TrainingInput> LoadAsync(
        IReadOnlyList<string> files, BenchmarkPlan? run, ReplaySettings settings, bool calibrates, ulong seed,
        TextWriter output, CancellationToken cancellationToken)
    {
        if (calibrates && run is null)
            throw new CommandInputException("--cost calibrate runs the workload, so it needs --workload.");
        var input = run is null
            ? TrainingInput.Read(files, settings, output, cancellationToken)
            : TrainingInput.Of(
                await RecordAsync(run, cancellationToken), settings, RecordedWorkload.SourceOf(run), output);
        return calibrates
            ? input with
            {
                Settings = await CalibrateAsync(input.Workload, run!, settings, seed, output, cancellationToken)
            }
            : input;
    }

    private static async Task<AccessTrace> RecordAsync(BenchmarkPlan run, CancellationToken cancellationToken)
    {
        var sink = new MemoryTraceSink();
        var result = await new TraceRun(
            PolyjuiceBenchmarkCluster.StartTraceableAsync, new SilentObserver()).RecordAsync(
            run, RecordedWorkload.Options, sink, cancellationToken);
        cancellationToken.ThrowIfCancellationRequested();
        if (!result.Check.Holds)
            throw new InvalidOperationException($"{run.Workload.Name}: {result.Check.Description}");
        return TraceFile.Read(sink, cancellationToken).Trace;
    }

    private static async Task<ReplaySettings> CalibrateAsync(
        ReplayWorkload workload, BenchmarkPlan run, ReplaySettings settings, ulong seed, TextWriter output,
        CancellationToken cancellationToken)
    {
        var plan = run with
        {
            Policies = [.. (settings.HasLatencies ? _fitted[..1] : _fitted).Select(BuiltinPolicies.Get)],
            Measured = TimeSpan.FromSeconds(2),
            OperationsPerInterval = null,
        };
        var real = await new BenchmarkRunner(BenchmarkClusters.StartAsync, new SilentObserver()).RunAsync(
            plan, cancellationToken);
        cancellationToken.ThrowIfCancellationRequested();
        MeasuredTable[] measured = [.. plan.Policies.Select(policy =>
        {
            var row = real.Rows.First(row => row.Policy == policy.Name);
            return new MeasuredTable(policy, row.CommittedPerSecond)
            {
                ProcessorMicroseconds = row.CpuMicrosecondsPerTransaction
            };
        })];
        var rates = string.Join(", ", measured.Select(static one =>
            string.Create(CultureInfo.InvariantCulture, $"{one.Table.Name} {one.CommittedPerSecond:n0}/s")));
        if (settings.HasLatencies)
        {
            var (fitted, off) = LatencyCalibration.Fit(workload, settings, measured[0], seed);
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"costs fitted to {rates}, {measured[0].ProcessorMicroseconds:n0} µs of a processor each: "
                + $"{fitted.Costs.Access:0.00} µs for an access, {fitted.NetworkMicroseconds / 1e3:0.00} ms for "
                + $"a message, {fitted.AppendMicroseconds / 1e3:0.00} ms for an append; "
                + $"replays are off by a factor of {Math.Exp(Math.Abs(off)):0.00}"));
            return fitted;
        }

        // Without latencies, processors are all that is waited for.
        var (costs, error) = CostCalibration.Fit(workload, settings, measured, seed);
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"costs fitted to {rates}: {costs.Access:0.00} µs for an access; replays are off by a factor of "
            + $"{Math.Exp(error):0.00}"));
        return settings with { Costs = costs };
    }
}
