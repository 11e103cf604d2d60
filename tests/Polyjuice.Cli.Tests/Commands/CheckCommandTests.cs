using System.Diagnostics;
using Polyjuice.Isolation;
using Polyjuice.Simulation.Canaries;

namespace Polyjuice.Cli.Tests.Commands;

public sealed class CheckCommandTests : IDisposable
{
    private readonly Tool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Theory]
    [InlineData("--workload", "tpcc", "listappend, register, smallbank")]
    [InlineData("--faults", "fire", "network, crash, storage")]
    [InlineData("--policy", "best", "occ")]
    [InlineData("--shape", "huge", "standard, small")]
    [InlineData("--break", "NoRule", "NoReadCheck")]
    [InlineData("--host", "grains", "engine")]
    [InlineData("--host", "orleans", "benchmarks/Polyjuice.Lab -- check")]
    [InlineData("--seeds", "none", "--seeds")]
    [InlineData("--silos", "0", "from 1 to 64")]
    public async Task A_value_that_is_not_valid_is_refused_with_those_that_are(string option, string value, string expected)
    {
        var answer = await _tool.RunAsync("check", option, value);
        Assert.Equal(ExitCodes.Refused, answer.ExitCode);
        Assert.Contains(expected, answer.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Clean_seeds_end_with_a_summary()
    {
        var answer = await _tool.RunAsync("check", "--seeds", "3", "--jobs", "2");
        Assert.Equal((ExitCodes.Done, ""), (answer.ExitCode, answer.Error));
        foreach (var part in new[] { "no anomaly", "transactions ", "aborts ", "faults ", "messages lost", "holes ", "digest ", "light load" })
            Assert.Contains(part, answer.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_failure_prints_one_command_that_replays_it_with_a_trace()
    {
        var answer = await _tool.RunAsync("check", "--break", "NoReadCheck", "--seeds", "500", "--shrink-seconds", "2");
        Assert.Equal(ExitCodes.No, answer.ExitCode);
        var command = answer.Output.Split('\n').Single(line => line.TrimStart().StartsWith("polyjuice check", StringComparison.Ordinal)).Trim();
        var again = await _tool.RunAsync([.. command.Split(' ').Skip(1)]);
        Assert.Equal(ExitCodes.No, again.ExitCode);
        Assert.Contains("updates x", again.Output, StringComparison.Ordinal);
        Assert.Contains("FAILED seed", again.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_list_names_every_canary()
    {
        var answer = await _tool.RunAsync("check", "--break", "list");
        Assert.Equal(ExitCodes.Done, answer.ExitCode);
        Assert.Equal(AllCanaries.List.Select(c => c.Name), answer.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split(' ')[0]));
    }

    [Fact]
    public async Task A_history_is_written_that_the_isolation_checker_reads()
    {
        var file = _tool.PathOf("history.jsonl");
        var answer = await _tool.RunAsync("check", "--seeds", "1", "--faults", "none", "--workload", "register", "--history", file);
        Assert.Equal(ExitCodes.Done, answer.ExitCode);
        var history = HistoryReader.Read(file);
        Assert.True(history.Transactions.Count >= 200);
        Assert.True(IsolationChecker.Check(history).IsValid);
    }

    [Fact]
    public async Task Another_process_gets_the_same_digest()
    {
        var here = await _tool.RunAsync("check", "--seeds", "2", "--from", "5");
        var tool = Path.Combine(AppContext.BaseDirectory, "Polyjuice.Cli.dll");

        // How methods are compiled, and how strings are hashed, differs from process to process.
        var start = new ProcessStartInfo("dotnet", [tool, "check", "--seeds", "2", "--from", "5"]) { RedirectStandardOutput = true, Environment = { ["DOTNET_TieredCompilation"] = "0" } };
        using var process = Process.Start(start)!;
        var there = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.Equal(DigestOf(here.Output), DigestOf(there));
    }

    private static string DigestOf(string output) => output.Split('\n').Single(line => line.StartsWith("digest ", StringComparison.Ordinal)).Trim();
}
