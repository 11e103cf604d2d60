using Polyjuice.Lab.Choosing;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Tests.Choosing;

public class DrawnLoadsTests
{
    [Fact]
    public void The_same_seed_gives_the_same_measurements_and_another_one_others()
    {
        var loads = new DrawnLoads([BuiltinPolicies.Get("occ"), BuiltinPolicies.Get("dirty-public")], measured: 100);
        var one = loads.Measure(seed: 11);
        var again = loads.Measure(seed: 11);
        Assert.Equal(["occ", "dirty-public"], one.Select(measurement => measurement.Table));
        Assert.All(one, measurement => Assert.Equal(100, measurement.Committed));
        foreach (var (first, second) in one.Zip(again))
        {
            Assert.Equal(first.Counts, second.Counts);
            Assert.Equal(first.Seconds, second.Seconds);
        }

        Assert.NotEqual(one[0].Counts, loads.Measure(seed: 12)[0].Counts);
    }
}
