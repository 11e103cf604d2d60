using Polyjuice.Contracts;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tracing;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;
using Polyjuice.Testing;
using Polyjuice.Tracing;
using Polyjuice.Training.Calls;
using Polyjuice.Training.Traces;
using Smallbank.Grains;
using Smallbank.Workload;

namespace Smallbank.Tests.Traces;

public sealed class CallReplayTests
{
    private const int Accounts = 20;

    [Fact]
    public async Task A_serial_recording_replayed_serially_ends_with_the_same_balances()
    {
        var sink = new MemoryTraceSink();
        long[] recorded;
        await using (var cluster = await StartAsync(silos: 1))
        {
            cluster.StartTrace(new TraceRecorderOptions { RecordsCalls = true }, sink);
            var random = new Random(1);
            for (var i = 0; i < 400; i++) await OneAsync(cluster, random);
            await cluster.StopTraceAsync();
            recorded = await BalancesAsync(cluster);
        }

        var trace = TraceFile.Read(sink).Trace;
        await using var again = await StartAsync(silos: 1);
        var result = await new CallReplay(trace, again.CallTarget, new CallReplayOptions { Clients = 1 }).RunAsync();

        Assert.Equal((400, 400), (result.Recorded, result.Made));
        Assert.Equal(7, result.Methods.Count);
        Assert.True(result.Count(CallOutcome.Refused) > 0);
        Assert.Equal(0, result.Count(CallOutcome.GivenUp) + result.Count(CallOutcome.InDoubt));
        Assert.Equal(recorded, await BalancesAsync(again));
    }

    [Fact]
    public async Task Money_is_conserved_when_transfers_are_replayed_under_contention_and_each_is_made_once()
    {
        var trace = await RecordAsync(SmallbankWorkload.MultiTransfer, operations: 500);
        var expected = trace.Transactions.Length;
        Assert.True(expected > 400);

        var result = await ReplayAsync(
            Plan(SmallbankWorkload.MultiTransfer, "occ", "ic3", "locking") with { Repeat = 2 },
            trace,
            new CallReplayOptions { Clients = 16 });

        Assert.True(
            result.Benchmark.InvariantHeld,
            string.Join("; ", result.Benchmark.Checks.Select(check => check.Check.Description)));
        Assert.Equal(6, result.Replays.Count);
        Assert.Equal(["occ", "ic3", "locking"], result.Benchmark.Rows.Select(row => row.Policy));
        Assert.All(result.Benchmark.Rows, row => Assert.Equal(2 * expected, row.Committed + row.Declined));
        Assert.All(result.Replays, replay => Assert.Equal(expected, Assert.Single(replay.Result.Methods).Made));
    }

    [Fact]
    public async Task As_many_calls_of_each_method_are_made_as_were_recorded()
    {
        var trace = await RecordAsync(SmallbankWorkload.Smallbank, operations: 500);
        var recorded = trace.Calls.ToArray().CountBy(call => trace.Methods[call.Method])
            .OrderBy(pair => pair.Key.Signature, StringComparer.Ordinal);

        var result = await ReplayAsync(
            Plan(SmallbankWorkload.Smallbank, "ic3"), trace, new CallReplayOptions { Speed = 50 });

        var replay = Assert.Single(result.Replays).Result;
        Assert.Equal(
            recorded.Select(pair => (pair.Key, pair.Value)),
            replay.Methods.OrderBy(method => method.Method.Signature, StringComparer.Ordinal)
                .Select(method => (method.Method, method.Made)));
        Assert.Empty(replay.NotMade);
    }

    [Fact]
    public async Task Cancelled_a_run_keeps_no_part_of_a_replay()
    {
        var trace = await RecordAsync(SmallbankWorkload.Smallbank, operations: 100);

        // At real speed, and it is cancelled while it loads.
        using var cancellation = new CancellationTokenSource();
        var run = new CallReplayRun(
            async shape =>
            {
                await cancellation.CancelAsync();
                return await PolyjuiceBenchmarkCluster.StartTraceableAsync(shape);
            },
            new SilentObserver());
        var result = await run.RunAsync(
            Plan(SmallbankWorkload.Smallbank, "occ", "ic3"),
            trace,
            new CallReplayOptions { Speed = 1 },
            cancellation.Token);

        Assert.Empty(result.Replays);
        Assert.Empty(result.Benchmark.Rows);
    }

    [Fact]
    public async Task Recorded_payments_are_made_again_under_other_policies()
    {
        // Any cluster records calls whose silos are told to; here it is one in this process.
        var sink = new MemoryTraceSink();
        await using (var recorded = await OpenAsync("occ"))
        {
            recorded.StartTrace(new TraceRecorderOptions { RecordsCalls = true }, sink);
            await Task.WhenAll(
                Enumerable.Range(0, 10)
                    .Select(key => recorded.Grains.GetGrain<IAccountGrain>(key).SendPayment((key + 1) % 10, 25)));
            await recorded.StopTraceAsync();
        }

        // TraceFile.Read(["folder"]) reads what a FileTraceSink has written.
        var trace = TraceFile.Read(sink).Trace;
        foreach (var policy in (string[])["ic3", "locking"])
        {
            await using var cluster = await OpenAsync(policy);
            var replay = new CallReplay(trace, cluster.CallTarget, new CallReplayOptions { Clients = 4 });
            var result = await replay.RunAsync();

            Assert.Equal((10, 10), (result.Recorded, result.Committed));
            Assert.Empty(result.NotMade);
        }

        // The states that the recorded calls met: ten accounts with 100 each.
        static async Task<PolyjuiceTestCluster> OpenAsync(string policy)
        {
            var cluster = await PolyjuiceTestCluster.StartAsync(options => options.Policy = policy);
            await Task.WhenAll(
                Enumerable.Range(0, 10).Select(key => cluster.Grains.GetGrain<IAccountGrain>(key).Open(100, 0)));
            return cluster;
        }
    }

    private static BenchmarkPlan Plan(WorkloadDefinition workload, params string[] policies) => new()
    {
        Workload = workload,
        Policies = [.. policies.Select(BuiltinPolicies.Get)],
        Thetas = [0.9],
        Clients = 16,
        ProcessWarmup = TimeSpan.Zero,
        IncludePlain = false,
        Parameters = new WorkloadParameters(Accounts: 100),
    };

    private static async Task<AccessTrace> RecordAsync(WorkloadDefinition workload, long operations)
    {
        var sink = new MemoryTraceSink();
        var result = await new TraceRun(
            PolyjuiceBenchmarkCluster.StartTraceableAsync, new SilentObserver()).RecordAsync(
            Plan(workload, "occ") with { OperationsPerInterval = operations },
            new TraceRecorderOptions { RecordsCalls = true }, sink, CancellationToken.None);
        Assert.Equal((0, 0), (result.Counts.DroppedCalls, result.Counts.DroppedRecords));
        return TraceFile.Read(sink).Trace;
    }

    private static Task<CallReplayRunResult> ReplayAsync(
        BenchmarkPlan plan, AccessTrace trace, CallReplayOptions options) =>
        new CallReplayRun(PolyjuiceBenchmarkCluster.StartTraceableAsync, new SilentObserver()).RunAsync(
            plan, trace, options, CancellationToken.None);


    private static async Task<PolyjuiceTestCluster> StartAsync(int silos)
    {
        var cluster = await PolyjuiceTestCluster.StartAsync(options =>
        {
            options.Silos = silos;
            options.Policy = "ic3";
        });
        for (var key = 0; key < Accounts; key++) await cluster.Grains.GetGrain<IAccountGrain>(key).Open(100 * key, 50);
        return cluster;
    }

    private static Task<long[]> BalancesAsync(PolyjuiceTestCluster cluster) =>
        Task.WhenAll(
            Enumerable.Range(0, Accounts).Select(key => cluster.Grains.GetGrain<IAccountGrain>(key).Balance()));

    private static async Task OneAsync(PolyjuiceTestCluster cluster, Random random)
    {
        var (account, other, amount) =
            (cluster.Grains.GetGrain<IAccountGrain>(random.Next(Accounts)), random.Next(Accounts), random.Next(300));
        try
        {
            await (random.Next(7) switch
            {
                0 => account.Balance(),
                1 => account.DepositChecking(amount),
                2 => account.TransactSavings(amount - 200),
                3 => account.Amalgamate(other),
                4 => account.WriteCheck(amount),
                5 => account.SendPayment(other, amount),
                _ => account.MultiTransfer([other, (other + 1) % Accounts], amount),
            });
        }
        catch (Orleans.Transactions.OrleansTransactionAbortedException exception)
            when (exception.InnerException is InsufficientFundsException)
        {
            // Refused, and so it is when it is replayed.
        }
    }
}
