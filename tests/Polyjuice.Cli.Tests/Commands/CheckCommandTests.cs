using System.Diagnostics;
using System.Globalization;
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
    [InlineData("--aims", "loss@Prepare#1", "--seed or --unguided")]
    [InlineData("--streams", "network=1", "--seed or --unguided")]
    [InlineData("--starts", "3", "--break")]
    public async Task A_value_that_is_not_valid_is_refused_with_those_that_are(
        string option, string value, string expected)
    {
        var answer = await _tool.RunAsync("check", option, value);
        Assert.Equal(ExitCodes.Refused, answer.ExitCode);
        Assert.Contains(expected, answer.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("list", "--seeds", "3")]
    [InlineData("compare", "--shape", "small")]
    [InlineData("compare", "--starts", "2")]
    [InlineData("all", "--faults", "none")]
    [InlineData("NoReadCheck,ShortRecovery", "--storage", "rows")]
    public async Task What_does_not_count_for_a_table_of_rules_is_refused(string rules, string option, string value)
    {
        var answer = await _tool.RunAsync("check", "--break", rules, option, value);
        Assert.Equal(ExitCodes.Refused, answer.ExitCode);
        Assert.Contains($"{option}: does not count with", answer.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Clean_seeds_end_with_a_summary()
    {
        var answer = await _tool.RunAsync("check", "--seeds", "3", "--jobs", "2");
        Assert.Equal((ExitCodes.Done, ""), (answer.ExitCode, answer.Error));
        foreach (var part in new[]
        {
            "no anomaly", "transactions ", "aborts ", "faults ", "messages lost", "holes ", "states ", "digest ",
            "light load"
        })
            Assert.Contains(part, answer.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_failure_prints_one_command_that_replays_it_with_a_trace()
    {
        var answer = await _tool.RunAsync("check", "--break", "NoReadCheck", "--seeds", "500", "--shrink-seconds", "2");
        Assert.Equal(ExitCodes.No, answer.ExitCode);
        var command = answer.Output.Split('\n')
            .Single(line => line.TrimStart().StartsWith("polyjuice check", StringComparison.Ordinal)).Trim();
        var again = await _tool.RunAsync([.. command.Split(' ').Skip(1)]);
        Assert.Equal(ExitCodes.No, again.ExitCode);
        Assert.Contains("updates x", again.Output, StringComparison.Ordinal);
        Assert.Contains("FAILED seed", again.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_failure_of_a_hunt_is_replayed_with_its_streams_and_aims()
    {
        var answer = await _tool.RunAsync(
            "check", "--break", "AckProof", "--shape", "aimed", "--seeds", "1000", "--shrink-seconds", "0");
        Assert.Equal(ExitCodes.No, answer.ExitCode);
        var command = answer.Output.Split('\n')
            .Single(line => line.TrimStart().StartsWith("polyjuice check", StringComparison.Ordinal)).Trim();
        Assert.Contains(" --aims ", command, StringComparison.Ordinal);
        var again = await _tool.RunAsync([.. command.Split(' ').Skip(1)]);
        Assert.Equal(ExitCodes.No, again.ExitCode);
        Assert.Equal(FailureOf(answer.Output), FailureOf(again.Output));
    }

    [Fact]
    public async Task A_hunt_is_the_same_on_any_number_of_threads()
    {
        var alone = await _tool.RunAsync("check", "--seeds", "60", "--from", "3");
        var shared = await _tool.RunAsync("check", "--seeds", "60", "--from", "3", "--jobs", "3");
        Assert.Equal(DigestOf(alone.Output), DigestOf(shared.Output));
    }

    [Fact]
    public async Task Hunts_are_counted_by_rule()
    {
        var answer = await _tool.RunAsync(
            "check", "--break", "NoReadCheck,ShortRecovery", "--starts", "3", "--seeds", "400", "--jobs", "2");
        Assert.Equal((ExitCodes.Done, ""), (answer.ExitCode, answer.Error));
        var rows = answer.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries)[2..];
        Assert.Equal(["NoReadCheck", "ShortRecovery"], rows.Select(row => row.Split('|')[1].Trim()));
        foreach (var row in rows)
        {
            var runs = row.Split('|')[4..7].Select(cell => int.Parse(cell, CultureInfo.InvariantCulture)).ToArray();
            Assert.Equal(runs.Order(), runs);
            Assert.InRange(runs[0], 1, 400);
        }
    }

    [Fact]
    public async Task A_rule_that_hunts_do_not_find_is_an_error()
    {
        // It takes more than a hundred runs, and there is one.
        var answer = await _tool.RunAsync("check", "--break", "MgrEpoch", "--starts", "1", "--seeds", "1");
        Assert.Equal(ExitCodes.No, answer.ExitCode);
        Assert.Contains("| >1 |", answer.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_list_names_every_canary()
    {
        var answer = await _tool.RunAsync("check", "--break", "list");
        Assert.Equal(ExitCodes.Done, answer.ExitCode);
        Assert.Equal(
            AllCanaries.List.Select(c => c.Name),
            answer.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split(' ')[0]));
    }

    [Fact]
    public async Task Canaries_of_the_protocol_are_compared()
    {
        var answer = await _tool.RunAsync("check", "--break", "compare", "--seeds", "1");
        Assert.Equal(ExitCodes.Done, answer.ExitCode);
        var rows = answer.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Skip(2)
            .Select(row => row.Split('|')[1].Trim());
        Assert.Equal(
            AllCanaries.List.Where(canary => canary.Rule is not ("engine" or "rows")).Select(canary => canary.Name),
            rows);
        Assert.Contains("| NoCeiling | L4 | stale | 1 | 1 | 1 | L4 | 0 |  |", answer.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_history_is_written_that_the_isolation_checker_reads()
    {
        var file = _tool.PathOf("history.jsonl");
        var answer = await _tool.RunAsync(
            "check", "--seed", "1", "--shape", "standard", "--faults", "none", "--workload", "register", "--history",
            file);
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
        var start = new ProcessStartInfo("dotnet", [tool, "check", "--seeds", "2", "--from", "5"])
        {
            RedirectStandardOutput = true, Environment = { ["DOTNET_TieredCompilation"] = "0" }
        };
        using var process = Process.Start(start)!;
        var there = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.Equal(DigestOf(here.Output), DigestOf(there));
    }

    private static string FailureOf(string output) =>
        output.Split('\n').Single(line => line.StartsWith("FAILED ", StringComparison.Ordinal));

    private static string DigestOf(string output) =>
        output.Split('\n').Single(line => line.StartsWith("digest ", StringComparison.Ordinal)).Trim();
}
