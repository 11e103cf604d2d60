using Polyjuice.Policies;

namespace Polyjuice.Lab.Tests.Commands;

public sealed class CheckCommandTests : IDisposable
{
    private readonly LabTool _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task A_run_says_what_it_has_exercised()
    {
        var answer = await CheckAsync("--seconds", "6", "--silos", "2");

        Assert.True(answer.ExitCode == 0, answer.Output + answer.Error);
        Assert.Contains("2 silos", answer.Output);
        Assert.Contains("client's transaction", answer.Output);
        Assert.All(BuiltinPolicies.Names, table => Assert.Contains(table, answer.Output));
        Assert.Contains("no anomaly, nothing lost, everything ended in its time", answer.Output);
    }

    [Fact]
    public async Task A_night_that_has_left_something_out_fails_and_names_it()
    {
        var answer = await CheckAsync("--seconds", "1", "--silos", "2", "--committed", "1");

        Assert.Equal(1, answer.ExitCode);
        Assert.Contains("NOT ENOUGH: never exercised: ", answer.Output);
        Assert.Contains("runs with: 3 silos", answer.Output);
    }

    private Task<LabTool.Answer> CheckAsync(params string[] more) =>
        _lab.RunAsync([
            "check", "--workload", "mixed", "--seeds", "1", "--faults", "none", "--evidence", _lab.PathOf("evidence"),
            .. more
        ]);
}
