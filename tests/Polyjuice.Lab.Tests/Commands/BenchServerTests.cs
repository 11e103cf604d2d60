using System.Text.Json;

namespace Polyjuice.Lab.Tests.Commands;

/// <summary>Measuring over servers that keep the logs, which the tool starts and ends.</summary>
public abstract class BenchServerTests(string server) : IDisposable
{
    private readonly LabTool _tool = new();

    public void Dispose() => _tool.Dispose();

    [ConditionalFact]
    public async Task A_bench_runs_over_a_server_and_says_so()
    {
        var json = _tool.PathOf("rows.json");
        var answer = await _tool.RunAsync(
            "bench", "smallbank", "--policy", "occ", "--theta", "0", "--accounts", "50", "--clients", "4", "--no-plain",
            "--seconds", "0.3", "--repeat", "1", "--storage", server, "--json", json);
        Assert.Equal((0, ""), (answer.ExitCode, answer.Error));
        Assert.Contains("money conserved", answer.Output, StringComparison.Ordinal);
        using var rows = JsonDocument.Parse(await File.ReadAllTextAsync(json));
        var row = Assert.Single(rows.RootElement.EnumerateArray());
        Assert.Equal(server, row.GetProperty("logs").GetString());
        Assert.True(row.GetProperty("appendsPerTransaction").GetDouble() > 0);
    }
}

[RequiresPostgreSql]
public sealed class BenchPostgreSqlTests() : BenchServerTests("postgresql");

[RequiresRedis]
public sealed class BenchRedisTests() : BenchServerTests("redis");
