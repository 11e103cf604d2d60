using System.Globalization;
using Polyjuice.Benchmarking.Clusters;
using Polyjuice.Benchmarking.Running;
using Polyjuice.Benchmarking.Tracing;
using Polyjuice.Benchmarking.Training;
using Polyjuice.Policies;
using Polyjuice.Tracing;
using Polyjuice.Training.Provenance;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;
using Polyjuice.Training.Traces;

namespace Polyjuice.Cli.Training;

/// <summary>What is trained on.</summary>
/// <param name="Workload">The trace as a shape.</param>
/// <param name="Settings">The replay, with costs fitted if that was asked for.</param>
/// <param name="Digest">Of the trace.</param>
/// <param name="Source">Where the trace is from, for people: no folder, which is nobody's business.</param>
internal sealed record TrainingInput(ReplayWorkload Workload, ReplaySettings Settings, string Digest, string Source)
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
    /// <exception cref="ArgumentException">The trace is too short, or costs are to be fitted and there is no workload to run.</exception>
    /// <exception cref="IOException">The trace cannot be read.</exception>
    public static async Task<TrainingInput> LoadAsync(
        IReadOnlyList<string> files, BenchmarkPlan? run, ReplaySettings settings, bool calibrates, ulong seed, TextWriter output, CancellationToken cancellationToken)
    {
        if (calibrates && run is null) throw new BenchmarkInputException("--cost calibrate runs the workload, so it needs --workload.");
        var trace = run is null ? TraceFile.Read(files, cancellationToken).Trace : await RecordAsync(run, cancellationToken);
        var workload = ReplayWorkload.Of(trace, settings.Silos);
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"a trace of {trace.Transactions.Length:n0} transactions of {trace.Types.Count} types with {trace.Accesses.Length:n0} accesses at {trace.Sites.Count} sites; {workload.ContendingTypes.Count} types contend"));
        if (calibrates) settings = await CalibrateAsync(workload, run!, settings, seed, output, cancellationToken);
        return new TrainingInput(workload, settings, TraceDigest.Of(trace), run is null ? string.Join(", ", files.Select(file => Path.GetFileName(Path.TrimEndingDirectorySeparator(file)))) : RecordedWorkload.SourceOf(run));
    }

    private static async Task<AccessTrace> RecordAsync(BenchmarkPlan run, CancellationToken cancellationToken)
    {
        var sink = new MemoryTraceSink();
        var result = await new TraceRun(EmbeddedBenchmarkCluster.StartTraceableAsync, new SilentObserver()).RecordAsync(run, RecordedWorkload.Options, sink, cancellationToken);
        cancellationToken.ThrowIfCancellationRequested();
        if (!result.Check.Holds) throw new InvalidOperationException($"{run.Workload.Name}: {result.Check.Description}");
        return RecordedWorkload.TraceOf(sink, cancellationToken);
    }

    private static async Task<ReplaySettings> CalibrateAsync(ReplayWorkload workload, BenchmarkPlan run, ReplaySettings settings, ulong seed, TextWriter output, CancellationToken cancellationToken)
    {
        // Without latencies, processors are all that is waited for.
        var plan = run with { Policies = [.. _fitted.Select(BuiltinPolicies.Get)], Shape = run.Shape with { NetworkLatency = TimeSpan.Zero, AppendLatency = TimeSpan.Zero }, Measured = TimeSpan.FromSeconds(2), OperationsPerInterval = null };
        var real = await new BenchmarkRunner(EmbeddedBenchmarkCluster.StartAsync, new SilentObserver()).RunAsync(plan, cancellationToken);
        cancellationToken.ThrowIfCancellationRequested();
        MeasuredTable[] measured = [.. plan.Policies.Select(policy => new MeasuredTable(policy, real.Rows.First(row => row.Policy == policy.Name).CommittedPerSecond))];
        var (costs, error) = CostCalibration.Fit(workload, settings with { NetworkMicroseconds = 0, AppendMicroseconds = 0 }, measured, seed);
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"costs fitted to {string.Join(", ", measured.Select(one => $"{one.Table.Name} {one.CommittedPerSecond:n0}/s"))}: {costs.Access:0.00} µs for an access; replays are off by a factor of {Math.Exp(error):0.00}"));
        return settings with { Costs = costs };
    }
}
