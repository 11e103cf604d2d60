using Polyjuice.Benchmarking.Running;

namespace Tpcc.Tests;

public class SampleOptionsTests
{
    [Fact]
    public void Without_arguments_three_policies_are_compared_in_about_a_minute()
    {
        var plan = SampleOptions.Parse([]).ToPlan();
        Assert.Equal(["occ", "locking", "ic3"], plan.Policies.Select(p => p.Name));
        Assert.Equal((1, 0.1, 64, 2), (plan.Parameters.Warehouses, plan.Parameters.Scale, plan.Clients, plan.Shape.Silos));
        Assert.InRange((plan.Warmup + plan.Measured) * plan.Repeat * plan.Policies.Count, TimeSpan.FromSeconds(20), TimeSpan.FromSeconds(75));
    }

    [Fact]
    public void Options_are_read()
    {
        var plan = SampleOptions.Parse(["--policy", "occ", "--warehouses=4", "--scale", "0.5", "--clients", "8", "--think", "--silos", "3", "--seconds", "4", "--seed", "7", "--data", "somewhere"]).ToPlan();
        Assert.Equal("occ", Assert.Single(plan.Policies).Name);
        Assert.Equal((4, 0.5, true, 7UL), (plan.Parameters.Warehouses, plan.Parameters.Scale, plan.Parameters.HasThinkTimes, plan.Parameters.Seed));
        Assert.Equal((8, 3, "somewhere"), (plan.Clients, plan.Shape.Silos, plan.Shape.DataFolder));
        Assert.Equal(TimeSpan.FromSeconds(4), plan.Measured * plan.Repeat);
    }

    [Theory]
    [InlineData("--warehouse 1", "Valid: --policy, --warehouses")]
    [InlineData("--warehouses 0", "from 1 to 1000")]
    [InlineData("--scale 2", "from 0.001 to 1")]
    [InlineData("--seconds", "a value is missing")]
    public void Wrong_input_is_answered_with_what_is_valid(string commandLine, string expected)
    {
        var exception = Assert.Throws<BenchmarkInputException>(() => SampleOptions.Parse(commandLine.Split(' ')));
        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
    }
}
