namespace BankAccount.Tests;

public sealed class CommandLineTests
{
    [Fact]
    public void Without_arguments_it_runs_until_somebody_ends_it()
    {
        var line = CommandLine.Parse([]);
        Assert.Null(line.Transfers);
        Assert.Equal((3, TimeSpan.FromSeconds(0.5)), (line.Customers, line.Pause));
    }

    [Fact]
    public void Options_are_read()
    {
        var line = CommandLine.Parse(["--customers", "7", "--transfers", "9", "--pause", "0.25", "--seed", "3"]);
        Assert.Equal((7, 9, TimeSpan.FromSeconds(0.25), 3), (line.Customers, line.Transfers, line.Pause, line.Seed));
        Assert.True(CommandLine.Parse(["--seed", "1", "--help"]).IsHelp);
    }

    [Theory]
    [InlineData("--custmers 3", "Valid: --customers")]
    [InlineData("--customers 0", "from 1 to 1000")]
    [InlineData("--customers 2.5", "whole number")]
    [InlineData("--pause -1", "from 0 to 60")]
    [InlineData("--seed", "a number is missing")]
    public void Wrong_input_is_answered_with_what_is_valid(string line, string expected) =>
        Assert.Contains(
            expected,
            Assert.Throws<FormatException>(() => CommandLine.Parse(line.Split(' '))).Message,
            StringComparison.Ordinal);
}
