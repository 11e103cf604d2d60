using System.Globalization;
using Polyjuice.Contracts;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Reporting;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;
using Polyjuice.Tracing;
using Polyjuice.Training.Calls;
using Polyjuice.Training.Traces;

namespace Polyjuice.Lab.Tracing;

/// <summary>
/// Replays recorded calls under one policy after the other, each time on a cluster of its own that the workload has
/// loaded, so that all begin with the same states. Rounds begin at different policies, so that no one always follows
/// the same other one.
/// </summary>
/// <param name="start">Starts a cluster.</param>
/// <param name="observer">Hears how it goes.</param>
internal sealed class CallReplayRun(Func<ClusterShape, Task<ITracingCluster>> start, IBenchmarkObserver observer)
{
    /// <summary>Calls of the replays that only have the process compile what it needs.</summary>
    private const int WarmupCallsMax = 2_000;

    /// <summary>Replays a trace under the plan's policies, <see cref="BenchmarkPlan.Repeat"/> times each.</summary>
    /// <param name="plan">
    /// The workload that loads the states, its sizes, the cluster and
    /// the policies. Its load is of no account: that is the trace's.
    /// </param>
    /// <param name="trace">With calls.</param>
    /// <param name="options">How they are made.</param>
    /// <param name="cancellationToken">Ends early, with what was replayed.</param>
    /// <exception cref="ArgumentException">The trace has no calls, or of another host.</exception>
    public async Task<CallReplayRunResult> RunAsync(
        BenchmarkPlan plan, AccessTrace trace, CallReplayOptions options, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(trace);
        ArgumentNullException.ThrowIfNull(options);
        var types = TypesOf(plan.Workload, trace);
        if (types is null) plan = plan with { Workload = plan.Workload with { OperationTypes = [] } };
        var arms = plan.Policies.Select(policy => new BenchmarkArm(policy, 0)).ToList();
        var samples = arms.ToDictionary(arm => arm, _ => new List<IntervalSample>());
        var checks = new List<(BenchmarkArm, InvariantCheck)>();
        var replays = new List<(string Policy, CallReplayResult Result)>();
        observer.Started(plan, arms);
        if (plan.ProcessWarmup > TimeSpan.Zero)
        {
            observer.WarmingUp();
            var brief = options with { CallsMax = Math.Min(options.CallsMax, WarmupCallsMax) };
            for (var i = 0; i < arms.Count && !cancellationToken.IsCancellationRequested; i++)
                await ReplayAsync(plan, arms[i], trace, types, brief, new SilentObserver(), cancellationToken);
        }

        for (var round = 1; round <= plan.Repeat && !cancellationToken.IsCancellationRequested; round++)
        {
            for (var i = 0; i < arms.Count && !cancellationToken.IsCancellationRequested; i++)
            {
                var arm = plan.ArmOf(arms, round, i);
                observer.ArmStarted(arm, round);
                var (result, sample, check) = await ReplayAsync(
                    plan, arm, trace, types, options, observer, cancellationToken);

                // A part of the trace is another load than all of it.
                if (result.NotReached > 0) break;
                samples[arm].Add(sample);
                checks.Add((arm, check));
                replays.Add((arm.Name, result));
                observer.ArmEnded(arm, round, sample, check);
            }
        }

        return new CallReplayRunResult(
            new BenchmarkResult(plan, BenchmarkRow.FromSamples(plan, samples), checks), replays);
    }

    private async Task<(CallReplayResult, IntervalSample, InvariantCheck)> ReplayAsync(
        BenchmarkPlan plan, BenchmarkArm arm, AccessTrace trace, int[]? types, CallReplayOptions options,
        IBenchmarkObserver heard, CancellationToken cancellationToken)
    {
        await using var cluster = await start(plan.Shape);
        cluster.Swap(arm.Policy!);
        var workload = plan.Workload.Create(plan.Parameters);
        await cluster.RunOnClientAsync(
            () => workload.LoadAsync(cluster.View with { Progress = heard.Loading }, arm.Variant));
        var before = cluster.Read();
        var used = ProcessUse.Read();
        var interval = new LoadInterval(long.MaxValue, plan.Workload.OperationTypes.Count);
        var replay = new CallReplay(trace, cluster.CallTarget, options)
        {
            Ended = call => interval.Count(
                types is null ? 0 : types[trace.Transactions[call.Transaction].Type],
                OutcomeOf(call.End.Outcome),
                call.Latency),
        };
        CallReplayResult? result = null;
        await cluster.RunOnClientAsync(
            async () =>
                result = await replay.RunAsync(
                    new EachStep(() => heard.Progress(arm, interval.Committed, interval.MeasuredSoFar)),
                    cancellationToken));
        interval.End();
        var sample = interval.ToSample(cluster.Read().Since(before), ProcessUse.Read().Since(used));
        return (result!, sample, await CheckAsync(plan, cluster, workload, arm, result!));
    }

    private static async Task<InvariantCheck> CheckAsync(
        BenchmarkPlan plan, ITracingCluster cluster, IWorkload workload, BenchmarkArm arm, CallReplayResult result)
    {
        if (plan.Workload.ChecksDataAlone) return await BenchmarkRunner.CheckAsync(cluster, workload, arm);
        return new InvariantCheck(
            true,
            string.Create(
                CultureInfo.InvariantCulture,
                $"{result.Made:N0} calls made and ended, of {result.Recorded:N0} recorded transactions "
                + $"({plan.Workload.Name}'s invariant is about what its own clients were told, and cannot be "
                + $"checked here)"));
    }

    /// <summary>
    /// The numbers of the workload's operations by those of the
    /// trace's types; nothing if it does not tell all of them apart.
    /// </summary>
    private static int[]? TypesOf(WorkloadDefinition workload, AccessTrace trace)
    {
        var operations = workload.OperationTypes.ToList();
        int[] numbers =
        [
            .. trace.Types.Select(type => operations.FindIndex(operation => operation.TransactionType == type))
        ];
        foreach (ref readonly var transaction in trace.Transactions)
        {
            if (numbers[transaction.Type] < 0) return null;
        }

        return numbers;
    }

    private static OperationOutcome OutcomeOf(CallOutcome outcome) => outcome switch
    {
        CallOutcome.Committed => OperationOutcome.Committed,
        CallOutcome.Refused => OperationOutcome.Declined,
        CallOutcome.GivenUp => OperationOutcome.Aborted,
        _ => OperationOutcome.InDoubt,
    };

    /// <summary>At once, on the thread that reports: <see cref="Progress{T}"/> would come later.</summary>
    private sealed class EachStep(Action step) : IProgress<double>
    {
        public void Report(double value) => step();
    }
}

/// <summary>What <see cref="CallReplayRun"/> found.</summary>
/// <param name="Benchmark">The rows of the usual table, and every check.</param>
/// <param name="Replays">Each replay that was whole, in order, with its policy's name.</param>
internal sealed record CallReplayRunResult(
    BenchmarkResult Benchmark, IReadOnlyList<(string Policy, CallReplayResult Result)> Replays);
