using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tracing;
using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.Micro;
using Polyjuice.Policies;
using Polyjuice.Tracing;
using Polyjuice.Training.Traces;

namespace Polyjuice.Lab.Tests.Tracing;

public sealed class TraceRunTests
{
    private static BenchmarkPlan Plan => new()
    {
        Workload = MicroWorkload.Definition,
        Policies = [BuiltinPolicies.Get("occ")],
        Thetas = [0.9],
        Clients = 16,
        OperationsPerInterval = 2_000,
        IncludePlain = false,
        Parameters = new WorkloadParameters(Accounts: 100),
    };

    [Fact]
    public async Task All_that_two_silos_do_is_in_the_trace()
    {
        var sink = new MemoryTraceSink();

        // Room for all of it: on a busy machine writing falls behind, and what does not fit is dropped.
        var options = new TraceRecorderOptions { ChunksMax = 1_024 };
        var result = await new TraceRun(
            PolyjuiceBenchmarkCluster.StartTraceableAsync, new SilentObserver()).RecordAsync(
            Plan, options, sink, CancellationToken.None);

        Assert.True(result.Check.Holds, result.Check.Description);
        Assert.Equal(0, result.Counts.DroppedRecords);
        var reading = TraceFile.Read(sink);
        var trace = reading.Trace;
        Assert.Equal(result.Counts.Attempts, reading.Attempts);
        Assert.True(reading.Attempts > trace.Transactions.Length);

        // The silos begin to record one after the other, before the load begins, and end after it.
        Assert.Equal(0, trace.Losses.Transactions);
        Assert.Equal(
            result.Sample.Committed, trace.Transactions.ToArray().Count(transaction => transaction.IsCommitted));
        foreach (var transaction in trace.Transactions.ToArray())
        {
            if (transaction.IsCommitted)
                Assert.Equal(
                    8,
                    trace.AccessesOf(transaction).ToArray().Select(access => access.Participant).Distinct().Count());
        }
    }

    [Fact]
    public async Task What_recording_costs_is_measured_in_pairs()
    {
        var pairs = new List<TraceCostPair>();

        var result = await new TraceCost(PolyjuiceBenchmarkCluster.StartTraceableAsync, pairs.Add).RunAsync(
            Plan with { Repeat = 3 }, new TraceRecorderOptions(), new MemoryTraceSink(), CancellationToken.None);

        Assert.True(result.Check.Holds, result.Check.Description);
        Assert.Equal([1, 2, 3], result.Pairs.Select(pair => pair.Round));
        Assert.Equal(pairs, result.Pairs);
        Assert.All(pairs, pair => Assert.True(pair.Ratio > 0));
        Assert.True(result.Counts.Attempts >= 3 * 2_000);
    }
}
