using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;
using Tpcc.Workload;

namespace Tpcc.Tests.Workload;

public class TpccWorkloadTests
{
    public static TheoryData<string> Policies => [.. BuiltinPolicies.Names];

    [Theory]
    [MemberData(nameof(Policies))]
    public async Task All_conditions_hold_under_every_built_in_table(string policy)
    {
        var result = await RunAsync(Plan(2, BuiltinPolicies.Get(policy)));
        Assert.True(result.InvariantHeld, string.Join("; ", result.Checks.Select(c => c.Check.Description)));
        var row = Assert.Single(result.Rows);
        Assert.Equal(400, row.Committed + row.Declined + row.GivenUp);
        Assert.Equal(0, row.InDoubt);
        Assert.True(row.Committed >= 390, $"only {row.Committed} committed: {string.Join(", ", row.AbortsByReason)}");
    }

    [Fact]
    public async Task All_conditions_hold_when_tables_are_swapped_on_one_database()
    {
        var result = await RunAsync(Plan(1, [.. BuiltinPolicies.All]) with { OperationsPerInterval = 150, Repeat = 2 });
        Assert.True(result.InvariantHeld, string.Join("; ", result.Checks.Select(c => c.Check.Description)));
        Assert.Equal(BuiltinPolicies.All.Count, result.Rows.Count);
    }

    [Fact]
    public async Task Every_type_is_reported_with_its_attempts_and_orders_per_minute()
    {
        var row = Assert.Single(
            (await RunAsync(Plan(1, BuiltinPolicies.Get("occ")) with { OperationsPerInterval = 3_000 })).Rows);
        Assert.Equal(
            ["NewOrder", "Payment", "Delivery", "OrderStatus", "StockLevel"],
            row.Operations.Select(operation => operation.Operation));
        Assert.Equal(row.Committed, row.Operations.Sum(operation => operation.Committed));
        Assert.All(
            row.Operations,
            operation => Assert.True(
                operation.Committed > 0 && operation.P50Ms > 0 && operation.P50Ms <= operation.P90Ms
                    && operation.P90Ms <= operation.P99Ms));
        var orders = row.Operations[0];
        Assert.Equal("tpmC", orders.PerMinuteName);
        Assert.Equal(orders.CommittedPerSecond * 60, orders.PerMinute!.Value, 0.1);
        Assert.True(
            orders.Declined > 0,
            "one order in a hundred is rolled back by its user, and of some 1,350 that none is happens once "
            + "in a million");
        Assert.Equal(row.Declined, orders.Declined);
        Assert.Equal(
            row.AbortsByReason.Where(abort => abort.Key != "UserException").Sum(abort => abort.Value),
            row.Operations.Sum(operation => operation.Aborts));
    }

    [Fact]
    public async Task An_open_loop_uses_all_warehouses()
    {
        var result = await RunAsync(
            Plan(2, BuiltinPolicies.Get("occ")) with { Rate = 2_000, OperationsPerInterval = 200 });
        Assert.True(result.InvariantHeld);
        Assert.Equal(200, result.Rows[0].Committed + result.Rows[0].Declined + result.Rows[0].GivenUp);
    }

    private static BenchmarkPlan Plan(int warehouses, params IPolicyCompiler[] policies) => new()
    {
        Workload = TpccWorkload.Definition,
        Policies = policies,
        Clients = 16,
        OperationsPerInterval = 400,
        Parameters = new WorkloadParameters { Warehouses = warehouses, Scale = 0.005 },
    };

    private static Task<BenchmarkResult> RunAsync(BenchmarkPlan plan) =>
        new BenchmarkRunner(BenchmarkClusters.StartAsync, new SilentObserver()).RunAsync(plan, CancellationToken.None);
}
