using Polyjuice.Lab.Running;

namespace Tpcc.Tests;

public class SampleOptionsTests
{
    [Fact]
    public void Without_arguments_three_policies_are_compared_in_about_a_minute()
    {
        var plan = SampleOptions.Parse([]).ToPlan();
        Assert.Equal(["occ", "locking", "ic3"], plan.Policies.Select(p => p.Name));
        Assert.Equal(
            (1, 0.1, 64, 2), (plan.Parameters.Warehouses, plan.Parameters.Scale, plan.Clients, plan.Shape.Silos));
        Assert.InRange(
            (plan.Warmup + plan.Measured) * plan.Repeat * plan.Policies.Count,
            TimeSpan.FromSeconds(20),
            TimeSpan.FromSeconds(75));
    }

    [Fact]
    public void Options_are_read()
    {
        var plan = SampleOptions.Parse([
            "--policy", "occ", "--warehouses=4", "--scale", "0.5", "--clients", "8", "--think", "--silos", "3",
            "--seconds", "4", "--seed", "7", "--data", "somewhere"
        ])
            .ToPlan();
        Assert.Equal("occ", Assert.Single(plan.Policies).Name);
        Assert.Equal(
            (4, 0.5, true, 7UL),
            (plan.Parameters.Warehouses, plan.Parameters.Scale, plan.Parameters.HasThinkTimes, plan.Parameters.Seed));
        Assert.Equal((8, 3, "somewhere"), (plan.Clients, plan.Shape.Silos, plan.Shape.DataFolder));
        Assert.Equal(TimeSpan.FromSeconds(4), plan.Measured * plan.Repeat);
    }

    [Fact]
    public void A_training_is_where_learning_pays_and_its_steps_are_planned_for_some_five_minutes()
    {
        var plan = SampleOptions.Parse(["--train"]).ToLearningPlan();

        Assert.Equal("ic3", Assert.Single(plan.Run.Policies).Name);
        Assert.Equal((1, 0.05), (plan.Run.Parameters.Warehouses, plan.Run.Parameters.Scale));
        Assert.Equal(
            (0.5, 2),
            (plan.Run.Shape.NetworkLatency.TotalMilliseconds, plan.Run.Shape.AppendLatency.TotalMilliseconds));
        Assert.Equal(3, plan.Run.Repeat);
        Assert.Equal("tpcc-learned.json", plan.File);

        // Of the race all tables for three rounds, some for six; of the
        // comparison the table in force, the best and the new one.
        var raced = (plan.RaceWarmup + plan.RaceInterval) * ((20 * 3) + (6 * 3) + (2 * plan.VerdictRounds));
        var compared = (plan.Run.Warmup + plan.Run.Measured) * plan.Run.Repeat * 4;
        var all = plan.Run.ProcessWarmup + plan.Recorded + plan.Budget.Time + raced + compared;
        Assert.InRange(all, TimeSpan.FromSeconds(120), TimeSpan.FromSeconds(240));
    }

    [Fact]
    public void Options_of_a_training_are_read()
    {
        var plan = SampleOptions.Parse([
            "--train", "--policy", "occ,callas", "--budget", "2m", "--seconds", "10", "--seed", "7", "--scale", "0.01",
            "--out", "mine.json"
        ])
            .ToLearningPlan();

        Assert.Equal(["occ", "callas"], plan.Run.Policies.Select(policy => policy.Name));
        Assert.Equal(
            (TimeSpan.FromMinutes(2), TimeSpan.FromSeconds(10) / 3, 7UL, 0.01, "mine.json"),
            (plan.Budget.Time, plan.Run.Measured, plan.Run.Seed, plan.Run.Parameters.Scale, plan.File));
    }

    [Theory]
    [InlineData("60", 0.7)]
    [InlineData("1.5", 0.5)]
    public void A_race_measures_no_longer_than_the_comparison(string seconds, double expected)
    {
        var plan = SampleOptions.Parse(["--train", "--seconds", seconds]).ToLearningPlan();
        Assert.Equal(expected, plan.RaceInterval.TotalSeconds, 6);
        Assert.Equal(0.4 * expected, plan.RaceWarmup.TotalSeconds, 6);
    }

    [Fact]
    public void A_table_that_reserves_cannot_be_recorded_under_and_trained_from() =>
        Assert.Contains(
            "reserves",
            Assert.Throws<CommandInputException>(
                () => SampleOptions.Parse(["--train", "--policy", "reserve"]).ToLearningPlan()).Message,
            StringComparison.Ordinal);

    [Theory]
    [InlineData("--warehouse 1", "Valid: --train, --budget, --")]
    [InlineData("--warehouses 0", "from 1 to 1000")]
    [InlineData("--scale 2", "from 0.001 to 1")]
    [InlineData("--seconds", "a value is missing")]
    [InlineData("--budget 1m", "--budget is for --train")]
    [InlineData("--out x.json", "--out is for --train")]
    [InlineData("--train --budget soon", "90s, 10m or 1.5h")]
    [InlineData("--train --out x.txt", ".json")]
    [InlineData("--train --out no/such/folder/x.json", "no folder")]
    [InlineData("--train --think", "at once")]
    public void Wrong_input_is_answered_with_what_is_valid(string commandLine, string expected)
    {
        var exception = Assert.Throws<CommandInputException>(() => SampleOptions.Parse(commandLine.Split(' ')));
        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
    }
}
