using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;
using Smallbank.Workload;
using Tpcc.Workload;

namespace Polyjuice.Lab.Tests.Clusters;

/// <summary>Orleans' own engine and plain grains are measured like any table, on the same grain code.</summary>
public sealed class EngineArmTests
{
    private static readonly BenchmarkEngine[] s_all =
    [
        BenchmarkEngine.Polyjuice, BenchmarkEngine.Orleans, BenchmarkEngine.Plain
    ];

    [Fact]
    public async Task All_engines_run_the_same_operations_and_keep_the_money()
    {
        var result = await RunAsync(SmallbankWorkload.Smallbank, new WorkloadParameters(200));

        Assert.Equal(
            ["plain plain", "polyjuice occ", "polyjuice ic3", "orleans orleans"],
            result.Rows.Select(row => $"{row.Engine} {row.Policy}"));
        Assert.All(result.Rows, row => Assert.Equal(100, row.Committed + row.Declined + row.GivenUp + row.InDoubt));
        Assert.All(
            result.Rows,
            row => Assert.True(
                row is { CpuMicrosecondsPerTransaction: > 0, AllocatedBytesPerTransaction: > 0, GcPauseShare: >= 0 },
                row.Policy));
        Assert.All(result.Checks, check => Assert.True(check.Check.Holds, check.Check.Description));
        Assert.All(
            result.Rows.Where(row => row.Engine != "plain"),
            row => Assert.True(row is { Tax: > 0, CpuTax: > 0 }, row.Policy));
    }

    [Fact]
    public async Task Where_there_are_no_plain_twins_the_same_grains_run_without_isolation()
    {
        // By one client: under several, Orleans' transactions deadlock, and wait for each of their time-outs.
        var result = await RunAsync(TpccWorkload.Definition, new WorkloadParameters { Scale = 0.002 }, clients: 1);

        Assert.Equal(["plain", "occ", "ic3", "orleans"], result.Rows.Select(row => row.Policy));
        Assert.True(result.Rows[0].Committed > 90);
        Assert.True(result.InvariantHeld);
        Assert.Contains("without isolation", result.Checks[0].Check.Description, StringComparison.Ordinal);
    }

    private static Task<BenchmarkResult> RunAsync(
        WorkloadDefinition workload, WorkloadParameters parameters, int clients = 4) =>
        new BenchmarkRunner(BenchmarkClusters.StartAsync, new SilentObserver()).RunAsync(
            new BenchmarkPlan
            {
                Workload = workload,
                Engines = s_all,
                Policies = [BuiltinPolicies.Get("occ"), BuiltinPolicies.Get("ic3")],
                Clients = clients,
                OperationsPerInterval = 100,
                Repeat = 1,
                Parameters = parameters,

                // Orleans' transactions deadlock, and whoever waits for one that does waits so long.
                Shape = new(2, TimeSpan.Zero, TimeSpan.Zero, null) { ResponseTimeout = TimeSpan.FromSeconds(5) },
            },
            CancellationToken.None);
}
