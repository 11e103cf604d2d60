using System.Text.Json;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Load;
using Polyjuice.Lab.Reporting;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Tests.Running;

public class BenchmarkRunnerTests
{
    private readonly List<FakeCluster> _clusters = [];

    [Fact]
    public async Task Every_policy_is_measured_at_every_skew_in_every_round()
    {
        var result = await RunAsync(Plan() with { Repeat = 3 });
        Assert.Equal(["a@0", "b@0", "a@0.99", "b@0.99"], result.Rows.Select(r => $"{r.Policy}@{r.Theta}"));
        Assert.All(result.Rows, row => Assert.Equal(3, row.Repeat));
        Assert.Equal(3 * 6, result.Checks.Count);
    }

    [Fact]
    public async Task Each_of_several_numbers_of_clients_is_an_arm_with_plain_twins_of_its_own()
    {
        var result = await RunAsync(
            Plan() with { Thetas = [0], Clients = 1, ClientCounts = [1, 3], OperationsPerInterval = 30 });
        Assert.Equal(["a@1", "b@1", "a@3", "b@3"], result.Rows.Select(r => $"{r.Policy}@{r.Clients}"));
        Assert.All(result.Rows, static row => Assert.NotNull(row.Tax));
        Assert.Equal(6, result.Checks.Count);
        Assert.Equal(
            ["a, 1 clients", "a, 3 clients"],
            result.Checks.Select(check => check.Arm.Label).Where(label => label[0] == 'a').Order());
    }

    [Fact]
    public async Task Rounds_use_fresh_clusters_for_each_engine_and_begin_at_different_arms()
    {
        await RunAsync(Plan() with { Thetas = [0], Repeat = 3 });
        Assert.Equal(6, _clusters.Count);
        Assert.All(_clusters, cluster => Assert.True(cluster.IsDisposed));
        Assert.Equal(["a b", "a b", "b a"], _clusters.Select(SwapsOf).Where(swaps => swaps.Length > 0));
    }

    [Fact]
    public async Task Figures_per_transaction_come_from_the_clusters_counters()
    {
        var result = await RunAsync(Plan() with { Clients = 1, OperationsPerInterval = 100 });
        var row = result.Rows[0];
        Assert.Equal(100, row.Committed);
        Assert.Equal(110, row.Attempts);
        Assert.Equal(0.0909, row.AbortedShare, 4);
        Assert.Equal(0.1, row.RetriesPerTransaction, 4);
        Assert.Equal(4, row.MessagesPerTransaction);
        Assert.Equal(400, row.BytesPerTransaction);
        Assert.Equal(1, row.AppendsPerTransaction);
        Assert.Equal(10, row.AbortsByReason["Validation"]);
    }

    [Fact]
    public async Task The_tax_is_plain_throughput_over_transactional_throughput()
    {
        var row = (await RunAsync(Plan())).Rows[0];

        // Rates are rounded, which is much of one that a machine which has stalled has made small.
        Assert.InRange(row.PlainPerSecond!.Value / row.CommittedPerSecond / row.Tax!.Value, 0.99, 1.01);
    }

    [Fact]
    public void Arms_are_compared_with_the_best_of_the_same_round()
    {
        var plain = new BenchmarkArm(null, 0);
        var a = new BenchmarkArm(new FakePolicy("a"), 0);
        var b = new BenchmarkArm(new FakePolicy("b"), 0);
        var rows = BenchmarkRow.FromSamples(Plan(), new Dictionary<BenchmarkArm, List<IntervalSample>>
        {
            // The machine is slow in the second round, and b in the third. The last round of b was cut short.
            [plain] = Rounds(900, 500, 900),
            [a] = Rounds(100, 50, 120, 110),
            [b] = Rounds(90, 45, 60),
            [a with { Theta = 0.9 }] = Rounds(10, 10),
            [b with { Theta = 0.9 }] = Rounds(7),
        });
        Assert.Equal(
            [(1.0, 1.0, 1.0), (0.9, 0.5, 0.9), (1.0, 1.0, 1.0), (null, null, null)],
            rows.Select(row => (row.ShareOfBest, row.ShareOfBestMin, row.ShareOfBestMax)));
        Assert.Equal(60, rows[1].CommittedPerSecond);
    }

    [Fact]
    public async Task Without_plain_arms_there_is_no_tax()
    {
        var row = (await RunAsync(Plan() with { IncludePlain = false })).Rows[0];
        Assert.Null(row.Tax);
        Assert.Null(row.PlainPerSecond);
    }

    [Fact]
    public async Task A_workload_without_transactions_has_rows_of_its_plain_calls()
    {
        var plan = Plan() with { Workload = FakeWorkload.Define(() => _clusters[^1], hasTransactions: false) };
        Assert.All((await RunAsync(plan)).Rows, row => Assert.Equal("plain", row.Policy));
    }

    [Fact]
    public async Task A_faulty_operation_fails_the_run()
    {
        var plan = Plan() with
        {
            Workload = new WorkloadDefinition(
                "faulty",
                "",
                _ => new FakeWorkload(_clusters[^1]) { Fault = new InvalidOperationException("broken") }),
        };
        Assert.Equal("broken", (await Assert.ThrowsAsync<InvalidOperationException>(() => RunAsync(plan))).Message);
        Assert.True(_clusters[0].IsDisposed);
    }

    [Fact]
    public async Task A_cancelled_run_ends_with_what_was_measured()
    {
        using var cancellation = new CancellationTokenSource();
        var runner = new BenchmarkRunner(StartAsync, new CancelAfterFirstArm(cancellation));
        var result = await runner.RunAsync(
            Plan() with { IncludePlain = false, Repeat = 1_000_000 }, cancellation.Token);
        var row = Assert.Single(result.Rows);
        Assert.Equal("a", row.Policy);
    }

    [Fact]
    public async Task The_process_warms_up_with_every_arm_on_a_cluster_of_its_own()
    {
        var result = await new BenchmarkRunner(StartAsync, new SilentObserver())
        {
            CompilationTime = static () => TimeSpan.Zero
        }.RunAsync(
            Warming(), CancellationToken.None);
        Assert.Equal(["a b", "a b"], _clusters.Select(SwapsOf).Where(swaps => swaps.Length > 0));
        Assert.All(result.Rows, row => Assert.Equal(1, row.Repeat));
        Assert.Equal(3, result.Checks.Count);
    }

    [Theory]
    [InlineData(60_000, "a b a b a b")]
    [InlineData(0, "a b")]
    public async Task The_arms_warm_up_until_the_compiler_is_done_or_time_is_up(int maxMilliseconds, string swaps)
    {
        // Asked before and after each turn: in the first two it works all the time.
        var asked = 0;
        var runner = new BenchmarkRunner(StartAsync, new SilentObserver())
        {
            CompilationTime = () => TimeSpan.FromHours(Math.Min(asked++, 4))
        };
        await runner.RunAsync(
            Warming() with { ProcessWarmupMax = TimeSpan.FromMilliseconds(maxMilliseconds) }, CancellationToken.None);
        Assert.Equal(swaps, _clusters.Select(SwapsOf).First(of => of.Length > 0));
    }

    // Plain twins have a cluster of their own, where nothing is swapped.
    private static string SwapsOf(FakeCluster cluster) => string.Join(' ', cluster.Swaps);

    [Fact]
    public async Task An_open_loop_runs_at_its_rate()
    {
        var plan = Plan() with { Rate = 100_000, OperationsPerInterval = 2_000, IncludePlain = false };
        var row = (await RunAsync(plan)).Rows[0];
        Assert.Equal(2_000, row.Committed);
        Assert.Equal(100_000, row.Rate);
        Assert.Equal(0, row.Clients);
    }

    [Fact]
    public async Task The_JSON_rows_have_the_promised_fields()
    {
        var result = await RunAsync(Plan());
        using var json = JsonDocument.Parse(RowJson.Write(result.Rows));
        Assert.Equal(JsonValueKind.Array, json.RootElement.ValueKind);
        string[] promised =
        [
            "workload", "policy", "theta", "silos", "clients", "networkMs", "appendMs", "committedPerSecond",
            "abortedShare", "p50Ms", "p95Ms", "p99Ms", "plainPerSecond", "tax", "bytesPerTransaction",
            "messagesPerTransaction", "appendsPerTransaction", "waitsEndedByDeadline",
        ];
        foreach (var row in json.RootElement.EnumerateArray())
        {
            foreach (var field in promised) Assert.True(row.TryGetProperty(field, out _), field);
            Assert.Equal(JsonValueKind.Number, row.GetProperty("tax").ValueKind);
        }

        var read = RowJson.Read(RowJson.Write(result.Rows));
        Assert.Equal(
            result.Rows.Select(r => (r.Policy, r.CommittedPerSecond)),
            read.Select(r => (r.Policy, r.CommittedPerSecond)));
    }

    private static List<IntervalSample> Rounds(params int[] committed) =>
        [
            .. committed.Select(
                count => new IntervalSample(
                    TimeSpan.FromSeconds(1), count, 0, 0, 0, 0, new LatencyHistogram(), new ClusterCounters()))
        ];

    private BenchmarkPlan Plan() => new()
    {
        Workload = FakeWorkload.Define(() => _clusters[^1]),
        Policies = [new FakePolicy("a"), new FakePolicy("b")],
        Thetas = [0, 0.99],
        Clients = 4,
        OperationsPerInterval = 200,
    };

    private BenchmarkPlan Warming() => Plan() with
    {
        Thetas = [0], OperationsPerInterval = null, ProcessWarmup = TimeSpan.FromMilliseconds(30),
        Warmup = TimeSpan.Zero, Measured = TimeSpan.FromMilliseconds(10),
    };

    private Task<BenchmarkResult> RunAsync(BenchmarkPlan plan) =>
        new BenchmarkRunner(StartAsync, new SilentObserver()).RunAsync(plan, CancellationToken.None);

    private Task<IBenchmarkCluster> StartAsync(ClusterShape shape)
    {
        _clusters.Add(new FakeCluster());
        return Task.FromResult<IBenchmarkCluster>(_clusters[^1]);
    }

    private sealed class CancelAfterFirstArm(CancellationTokenSource cancellation) : IBenchmarkObserver
    {
        public void Started(BenchmarkPlan plan, IReadOnlyList<BenchmarkArm> arms)
        {
        }

        public void WarmingUp()
        {
        }

        public void ArmStarted(BenchmarkArm arm, int round)
        {
        }

        public void Progress(BenchmarkArm arm, long committed, TimeSpan elapsed)
        {
        }

        public void ArmEnded(BenchmarkArm arm, int round, IntervalSample sample, InvariantCheck check) =>
            cancellation.Cancel();
    }
}
