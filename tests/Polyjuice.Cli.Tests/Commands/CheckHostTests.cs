using System.Diagnostics;
using Polyjuice.Cli.Checking;

namespace Polyjuice.Cli.Tests.Commands;

/// <summary><c>polyjuice check --host grains</c></summary>
public sealed class CheckHostTests : IDisposable
{
    private readonly Tool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Theory]
    [InlineData("listappend")]
    [InlineData("smallbank")]
    public async Task Real_grains_are_checked_under_all_faults(string workload)
    {
        var answer = await _tool.RunAsync("check", "--host", "grains", "--workload", workload, "--seeds", "2");
        Assert.True(answer.ExitCode == ExitCodes.Done, answer.Output);
        Assert.Contains("no anomaly", answer.Output, StringComparison.Ordinal);
        Assert.Contains("2 of 2 seeds had at least 200 transactions", answer.Output, StringComparison.Ordinal);
    }

    /// <summary>Transactions of eight updates seldom get through while everything goes wrong: what commits is right all the same.</summary>
    [Theory]
    [InlineData("micro")]
    [InlineData("ycsb")]
    public async Task The_benchmarks_grains_are_checked_under_all_faults(string workload)
    {
        var answer = await _tool.RunAsync("check", "--host", "grains", "--workload", workload, "--seeds", "2");
        Assert.True(answer.ExitCode == ExitCodes.Done, answer.Output);
        Assert.Contains($"2 seeds from 1 (standard, {workload}, policy random, faults all): no anomaly", answer.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_rule_that_is_missing_is_missed_by_real_grains_too()
    {
        var answer = await _tool.RunAsync("check", "--host", "grains", "--shape", "standard", "--break", "NoLastCheck", "--seeds", "20", "--shrink-seconds", "0");
        Assert.Equal(ExitCodes.No, answer.ExitCode);
        Assert.Contains("lost-update", answer.Output, StringComparison.Ordinal);
        Assert.Contains("--host grains", answer.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_workload_without_grains_is_refused_with_those_that_have_some()
    {
        var answer = await _tool.RunAsync("check", "--host", "grains", "--workload", "register");
        Assert.Equal(ExitCodes.Refused, answer.ExitCode);
        Assert.Contains("listappend, smallbank", answer.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("micro")]
    [InlineData("ycsb")]
    public async Task A_workload_that_has_only_grains_is_refused_without_them(string workload)
    {
        var answer = await _tool.RunAsync("check", "--workload", workload);
        Assert.Equal(ExitCodes.Refused, answer.ExitCode);
        Assert.Contains("host engine has no", answer.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_unknown_host_is_refused_with_the_known_ones()
    {
        var answer = await _tool.RunAsync("check", "--host", "orleans");
        Assert.Equal(ExitCodes.Refused, answer.ExitCode);
        foreach (var host in CheckHost.All) Assert.Contains(host.Name, answer.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Two_processes_give_one_seed_the_same_digest()
    {
        // How methods are compiled, and how strings are hashed, differs from process to process.
        var digests = await Task.WhenAll(DigestAsync("1"), DigestAsync("0"));
        Assert.Equal(digests[0], digests[1]);
    }

    private static async Task<string> DigestAsync(string tieredCompilation)
    {
        var start = new ProcessStartInfo("dotnet", [typeof(CommandLine).Assembly.Location, "check", "--host", "grains", "--seeds", "1", "--from", "5"])
        {
            RedirectStandardOutput = true,
            Environment = { ["DOTNET_TieredCompilation"] = tieredCompilation },
        };
        using var process = Process.Start(start)!;
        var output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == ExitCodes.Done, output);
        return Assert.Single(output.Split('\n'), line => line.StartsWith("digest", StringComparison.Ordinal));
    }
}
