using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.HotGrain;
using Polyjuice.Policies;
using Smallbank.Workload;

namespace Smallbank.Tests;

public class MoneyIsConservedTests
{
    private static WorkloadCatalogue Catalogue { get; } = 
        new(SmallbankWorkload.Smallbank, SmallbankWorkload.MultiTransfer, HotGrainWorkload.Definition);

    public static TheoryData<string> Mixes => ["smallbank", "multitransfer", "hotgrain"];

    [Theory]
    [MemberData(nameof(Mixes))]
    public async Task Money_is_conserved_under_contention_whatever_built_in_table_is_in_force(string mix)
    {
        var result = await RunAsync(Plan(Catalogue.Find(mix)!, [.. BuiltinPolicies.All]));
        Assert.True(result.InvariantHeld, string.Join("; ", result.Checks.Select(c => c.Check.Description)));
        Assert.Equal(BuiltinPolicies.All.Select(policy => policy.Name), result.Rows.Select(row => row.Policy));
        Assert.All(result.Rows, row =>
        {
            Assert.True(row.Committed > 0, row.Policy);
            Assert.Equal(0, row.InDoubt);
        });
    }

    [Fact]
    public async Task Money_is_conserved_when_policies_are_swapped_between_intervals()
    {
        var plan = Plan(SmallbankWorkload.Smallbank, [.. BuiltinPolicies.All]) with
        {
            Repeat = 2, OperationsPerInterval = 300
        };
        var result = await RunAsync(plan);
        Assert.True(result.InvariantHeld, string.Join("; ", result.Checks.Select(c => c.Check.Description)));
        Assert.Equal(BuiltinPolicies.All.Count, result.Rows.Count);
    }

    [Fact]
    public async Task The_plain_twins_are_measured_for_the_tax()
    {
        var plan = Plan(SmallbankWorkload.Smallbank, BuiltinPolicies.Get("occ")) with
        {
            IncludePlain = true, Thetas = [0]
        };
        var row = Assert.Single((await RunAsync(plan)).Rows);
        Assert.True(row.PlainPerSecond > 0);
        Assert.True(row.Tax > 0);
    }

    private static BenchmarkPlan Plan(WorkloadDefinition workload, params IPolicyCompiler[] policies) => new()
    {
        Workload = workload,
        Policies = policies,
        Thetas = [0.99],
        Clients = 32,
        OperationsPerInterval = 600,
        IncludePlain = false,
        Parameters = new WorkloadParameters(Accounts: 200),
    };

    private static Task<BenchmarkResult> RunAsync(BenchmarkPlan plan) =>
        new BenchmarkRunner(BenchmarkClusters.StartAsync, new SilentObserver()).RunAsync(plan, CancellationToken.None);
}
