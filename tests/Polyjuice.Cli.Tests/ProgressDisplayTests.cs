namespace Polyjuice.Cli.Tests;

public sealed class ProgressDisplayTests
{
    [Fact]
    public void Where_there_is_no_console_a_line_comes_every_ten_seconds()
    {
        var output = new StringWriter();

        var result = new ProgressDisplay(output, "first").Run(report =>
        {
            foreach (var second in new[] { 0, 4, 9, 10, 19, 21 }) report(
                new WorkProgress($"at {second}", 0.5, TimeSpan.FromSeconds(second)));
            return 7;
        });

        Assert.Equal(7, result);
        Assert.Equal(["at 0", "at 10", "at 21"], output.ToString()
            .Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries));
    }
}
