using Polyjuice.Lab.Chaos;
using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.Mixed;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Tests.Chaos;

public class ChaosRunTests
{
    // Of the mixed workload's other calls, nothing follows from their arguments.
    [Fact]
    public async Task Access_sets_are_learned_and_are_wrong_at_times()
    {
        var result = await ChaosRun.RunAsync(new ChaosCase
        {
            Workload = MixedWorkload.Definition, Parameters = new WorkloadParameters(12), Seed = 1, Silos = 1,
            Policy = BuiltinPolicies.All.Single(policy => policy.Name == "reserve"), Operations = 3_000,
        });

        Assert.NotEqual(0, result.Coverage.Of(ChaosGroups.Engines, "access sets learned"));
        Assert.NotEqual(0, result.Coverage.Of(ChaosGroups.Engines, "access sets that were wrong"));
    }
}
