using Polyjuice.Lab.Running;
using Polyjuice.Policies;

namespace Smallbank.Tests;

public class SampleOptionsTests
{
    [Fact]
    public void Without_arguments_all_built_in_policies_are_compared_in_under_two_minutes()
    {
        var plan = SampleOptions.Parse([]).ToPlan();
        Assert.Equal(BuiltinPolicies.Names, plan.Policies.Select(p => p.Name));
        Assert.Equal([0, 0.99], plan.Thetas);
        Assert.Equal((2, 64, 10_000), (plan.Shape.Silos, plan.Clients, plan.Parameters.Accounts));
        Assert.True(plan.Repeat >= 2);
        var arms = plan.Thetas.Count * (plan.Policies.Count + 1);
        Assert.InRange(
            (plan.Warmup + plan.Measured) * plan.Repeat * arms, TimeSpan.FromSeconds(20), TimeSpan.FromSeconds(75));
    }

    [Fact]
    public void Options_are_read()
    {
        var plan = SampleOptions.Parse([
            "--policy", "occ,ic3", "--theta=0.5", "--mix", "multitransfer", "--silos", "3", "--rate", "1000",
            "--seconds", "4", "--accounts", "99", "--seed", "7"
        ])
            .ToPlan();
        Assert.Equal(["occ", "ic3"], plan.Policies.Select(p => p.Name));
        Assert.Equal([0.5], plan.Thetas);
        Assert.Equal("multitransfer", plan.Workload.Name);
        Assert.Equal((3, 1000.0, 99, 7UL), (plan.Shape.Silos, plan.Rate, plan.Parameters.Accounts, plan.Seed));
        Assert.Equal(TimeSpan.FromSeconds(4), plan.Measured * plan.Repeat);
    }

    [Fact]
    public void A_training_is_of_one_skew_and_writes_a_file_of_the_mixs_name()
    {
        var plan = SampleOptions.Parse(["--train", "--mix", "multitransfer", "--theta", "0.99", "--clients", "32"])
            .ToLearningPlan();

        Assert.Equal("multitransfer-learned.json", plan.File);
        Assert.Equal([0.99], plan.Run.Thetas);
        Assert.Equal((32, 3, false), (plan.Run.Clients, plan.Run.Repeat, plan.Run.IncludePlain));
        var usual = SampleOptions.Parse(["--train"]).ToLearningPlan().Run;
        Assert.Equal([1.2], usual.Thetas);
        Assert.Equal(256, usual.Clients);
    }

    [Theory]
    [InlineData("--seed 3", null)]
    [InlineData("--view", 5_080)]
    [InlineData("--view --seed 3", 5_080)]
    [InlineData("--view 8123 --seed 3", 8_123)]
    [InlineData("--view=0", 0)]
    public void The_live_views_port_may_be_left_out(string commandLine, int? expected) =>
        Assert.Equal(expected, SampleOptions.Parse(commandLine.Split(' ')).View);

    [Theory]
    [InlineData("--polcy occ", "Valid: --train, --budget, --")]
    [InlineData("--policy nothing", "occ")]
    [InlineData("--mix tpcc", "Valid: smallbank, multitransfer")]
    [InlineData("--theta -1", "from 0 to 10")]
    [InlineData("--clients many", "whole number")]
    [InlineData("--seconds", "a value is missing")]
    [InlineData("--view here", "whole number")]
    [InlineData("--view 70000", "from 0 to 65535")]
    [InlineData("--policy occ,occ", "twice")]
    [InlineData("--budget 1m", "--budget is for --train")]
    [InlineData("--train --rate 100", "closed loop")]
    [InlineData("--train --theta 0,1", "one skew")]
    [InlineData("--train --out x.txt", ".json")]
    [InlineData("--policy no/such/file.json", "no/such/file.json")]
    public void Wrong_input_is_answered_with_what_is_valid(string commandLine, string expected)
    {
        var exception = Assert.Throws<CommandInputException>(() => SampleOptions.Parse(commandLine.Split(' ')));
        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
    }
}
