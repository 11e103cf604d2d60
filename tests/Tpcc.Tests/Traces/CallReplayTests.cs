using Polyjuice.Contracts;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tracing;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;
using Polyjuice.Tracing;
using Polyjuice.Training.Calls;
using Polyjuice.Training.Traces;
using Tpcc.Workload;

namespace Tpcc.Tests.Traces;

public sealed class CallReplayTests
{
    private static BenchmarkPlan Plan => new()
    {
        Workload = TpccWorkload.Definition,
        Policies = [BuiltinPolicies.Get("ic3"), BuiltinPolicies.Get("occ")],
        Thetas = [0],
        Clients = 16,
        ProcessWarmup = TimeSpan.Zero,
        OperationsPerInterval = 300,
        IncludePlain = false,
        Parameters = new WorkloadParameters { Scale = 0.01 },
    };

    [Fact]
    public async Task Recorded_transactions_are_made_again_and_the_data_stays_consistent()
    {
        var sink = new MemoryTraceSink();
        await new TraceRun(PolyjuiceBenchmarkCluster.StartTraceableAsync, new SilentObserver()).RecordAsync(
            Plan, new TraceRecorderOptions { RecordsCalls = true, ChunksMax = 64 }, sink, CancellationToken.None);
        var trace = TraceFile.Read(sink).Trace;
        Assert.All(trace.Calls.ToArray(), call => Assert.Equal(TracedCallState.Whole, call.State));
        Assert.Equal(
            TpccWorkload.Definition.OperationTypes.Select(type => type.TransactionType).Order(),
            trace.Transactions.ToArray().Select(transaction => trace.Types[transaction.Type]).Distinct().Order());

        var result = await new CallReplayRun(
            PolyjuiceBenchmarkCluster.StartTraceableAsync, new SilentObserver()).RunAsync(
            Plan, trace, new CallReplayOptions { Clients = 8 }, CancellationToken.None);

        Assert.True(
            result.Benchmark.InvariantHeld,
            string.Join("; ", result.Benchmark.Checks.Select(check => check.Check.Description)));
        Assert.All(
            result.Benchmark.Checks,
            check => Assert.Contains("consistency conditions hold", check.Check.Description, StringComparison.Ordinal));
        Assert.Equal(2, result.Replays.Count);
        Assert.All(result.Replays, replay =>
        {
            Assert.Empty(replay.Result.NotMade);
            Assert.Equal(trace.Transactions.Length, replay.Result.Made);
            Assert.Equal(0, replay.Result.Count(CallOutcome.InDoubt));

            // One in a hundred New-Orders names an item that there is not, here as there.
            Assert.Equal(
                trace.Transactions.ToArray()
                    .Count(transaction => transaction.Outcome == Polyjuice.Contracts.AbortReason.UserException),
                replay.Result.Count(CallOutcome.Refused));
        });
        Assert.All(result.Benchmark.Rows, row => Assert.Equal(5, row.Operations.Count));
    }
}
