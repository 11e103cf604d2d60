using System.Text.Json;
using Polyjuice.Policies;

namespace Polyjuice.Cli.Tests.Commands;

public sealed class TrainCommandTests : IDisposable
{
    private static readonly string[] s_trace =
        [
            "--trace", Repository.PathOf("tests/Polyjuice.Training.Tests/Traces/Files/multitransfer"), "--clients",
            "16", "--network-ms", "1", "--append-ms", "2", "--transactions", "100"
        ];

    private readonly Tool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Fact]
    public async Task A_table_that_is_found_is_written_with_its_provenance_and_one_that_is_not_leaves_nothing()
    {
        var file = _tool.PathOf("found.json");
        var report = _tool.PathOf("found.html");

        var (exitCode, output, error) = await _tool.RunAsync([
            "train", .. s_trace, "--evaluations", "60", "--algorithm", "ours,ea", "--report", report, "--out", file
        ]);

        Assert.Equal("", error);
        Assert.Contains("on held-out data", output, StringComparison.Ordinal);
        Assert.Contains("What its rows are worth", await File.ReadAllTextAsync(report), StringComparison.Ordinal);
        if (exitCode == ExitCodes.No)
        {
            Assert.Contains("Nothing written", output, StringComparison.Ordinal);
            Assert.False(File.Exists(file));
            return;
        }

        Assert.Equal(ExitCodes.Done, exitCode);
        Assert.Equal("found", PolicyReader.Load(file).Name);
        using var provenance = JsonDocument.Parse(await File.ReadAllTextAsync(_tool.PathOf("found.provenance.json")));
        Assert.Equal(64, provenance.RootElement.GetProperty("trace").GetProperty("sha256").GetString()!.Length);
        foreach (var table in provenance.RootElement.GetProperty("heldOut").EnumerateArray().Skip(1))
            Assert.True(table.GetProperty("gainOverIt").GetDouble() > 0);
    }

    [Fact]
    public async Task A_table_that_does_not_beat_those_that_were_there_is_not_written()
    {
        var file = _tool.PathOf("found.json");

        // There is a budget for the tables that the search begins with alone.
        var (exitCode, output, _) = await _tool.RunAsync([
            "train", .. s_trace, "--evaluations", "12", "--algorithm", "ea", "--out", file
        ]);

        Assert.Equal(ExitCodes.No, exitCode);
        Assert.Contains("Nothing written", output, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(_tool.PathOf("")));
    }

    [Fact]
    public async Task A_trace_that_is_not_there_is_refused()
    {
        var (exitCode, _, error) = await _tool.RunAsync(
            "train", "--trace", _tool.PathOf("none"), "--out", _tool.PathOf("x.json"));

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains("none", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--budget", "soon", "90s, 10m or 1.5h")]
    [InlineData("--budget", "0m", "90s, 10m or 1.5h")]
    [InlineData("--algorithm", "luck", "ours, forest, ea, gradient")]
    [InlineData("--objective", "beauty", "throughput, p99-bounded")]
    [InlineData("--objective", "p99-bounded", "--p99-ms")]
    [InlineData("--p99-ms", "5", "p99-bounded")]
    [InlineData("--parent", "best", "occ")]
    [InlineData("--clients", "0", "--clients")]
    [InlineData("--cost", "much", "--cost")]
    [InlineData("--evaluations", "0", "--evaluations")]
    [InlineData("--report", "page.txt", ".html")]
    public async Task A_value_that_is_not_valid_is_refused_with_what_is_and_writes_nothing(
        string option, string value, string expected)
    {
        var (exitCode, _, error) = await _tool.RunAsync([
            "train", .. s_trace, option, value, "--out", _tool.PathOf("x.json")
        ]);

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains(expected, error, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(_tool.PathOf("")));
    }

    [Fact]
    public async Task A_workload_is_recorded_by_the_laboratory_and_not_here()
    {
        var (exitCode, _, error) = await _tool.RunAsync("train", "--workload", "tpcc", "--out", _tool.PathOf("x.json"));

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains("--trace", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_address_is_a_container_of_traces_and_no_folder()
    {
        var (exitCode, _, error) = await _tool.RunAsync(
            "train", "--trace", "https://account.blob.core.windows.net/", "--out", _tool.PathOf("x.json"));

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains("names no container", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_is_for_test_clusters_needs_an_application()
    {
        var (exitCode, _, error) = await _tool.RunAsync([
            "train", .. s_trace, "--rounds", "3", "--out", _tool.PathOf("x.json")
        ]);

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains("--rounds is for --assembly", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("x.txt", ".json")]
    [InlineData("none/x.json", "no folder")]
    public async Task Where_the_table_goes_is_checked_before_anything_runs(string file, string expected)
    {
        var (exitCode, _, error) = await _tool.RunAsync(["train", .. s_trace, "--out", _tool.PathOf(file)]);

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains(expected, error, StringComparison.Ordinal);
    }
}
