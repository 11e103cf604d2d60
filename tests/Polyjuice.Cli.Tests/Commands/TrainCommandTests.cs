using System.Text.Json;
using Polyjuice.Policies;

namespace Polyjuice.Cli.Tests.Commands;

public sealed class TrainCommandTests : IDisposable
{
    private static readonly string[] s_workload =
    [
        "--workload", "multitransfer", "--theta", "1.2", "--accounts", "20", "--clients", "16", "--network-ms", "1", "--append-ms", "2", "--record-transactions", "800", "--transactions", "100",
    ];

    private readonly Tool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Fact]
    public async Task A_table_that_is_found_is_written_with_its_provenance_and_one_that_is_not_leaves_nothing()
    {
        var file = _tool.PathOf("found.json");
        var report = _tool.PathOf("found.html");

        var (exitCode, output, error) = await _tool.RunAsync(["train", .. s_workload, "--evaluations", "60", "--algorithm", "ours,ea", "--report", report, "--out", file]);

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
        foreach (var table in provenance.RootElement.GetProperty("heldOut").EnumerateArray().Skip(1)) Assert.True(table.GetProperty("gainOverIt").GetDouble() > 0);
    }

    [Fact]
    public async Task A_table_that_does_not_beat_those_that_were_there_is_not_written()
    {
        var file = _tool.PathOf("found.json");

        // There is a budget for the tables that the search begins with alone.
        var (exitCode, output, _) = await _tool.RunAsync(["train", .. s_workload, "--evaluations", "12", "--algorithm", "ea", "--out", file]);

        Assert.Equal(ExitCodes.No, exitCode);
        Assert.Contains("Nothing written", output, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(_tool.PathOf("")));
    }

    [Fact]
    public async Task A_recorded_trace_is_trained_on_as_a_workload_is()
    {
        var traces = _tool.PathOf("traces");
        var recorded = await _tool.RunAsync("trace", "record", "multitransfer", "--theta", "1.2", "--accounts", "20", "--clients", "16", "--network-ms", "1", "--append-ms", "2", "--transactions", "800", "--out", traces);
        Assert.Equal(ExitCodes.Done, recorded.ExitCode);

        var (_, output, error) = await _tool.RunAsync(
            "train", "--trace", traces, "--clients", "16", "--network-ms", "1", "--append-ms", "2", "--transactions", "100", "--evaluations", "12", "--algorithm", "ea", "--out", _tool.PathOf("found.json"));

        Assert.Equal("", error);
        Assert.Contains("a trace of ", output, StringComparison.Ordinal);
        Assert.Contains("on held-out data", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_trace_that_is_not_there_is_refused()
    {
        var (exitCode, _, error) = await _tool.RunAsync("train", "--trace", _tool.PathOf("none"), "--out", _tool.PathOf("x.json"));

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains("none", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--budget", "soon", "90s, 10m or 1.5h")]
    [InlineData("--budget", "0m", "90s, 10m or 1.5h")]
    [InlineData("--algorithm", "luck", "ours, ea, gradient")]
    [InlineData("--objective", "beauty", "throughput, p99-bounded")]
    [InlineData("--objective", "p99-bounded", "--p99-ms")]
    [InlineData("--p99-ms", "5", "p99-bounded")]
    [InlineData("--parent", "best", "occ")]
    [InlineData("--clients", "0", "--clients")]
    [InlineData("--cost", "much", "--cost")]
    [InlineData("--evaluations", "0", "--evaluations")]
    [InlineData("--checkpoint", "search.journal", "--trace")]
    [InlineData("--report", "page.txt", ".html")]
    [InlineData("--trace", "somewhere", "either")]
    [InlineData("--workload", "tpcd", "tpcc")]
    [InlineData("--workload", "calls", "no transactions")]
    public async Task A_value_that_is_not_valid_is_refused_with_what_is_and_writes_nothing(string option, string value, string expected)
    {
        string[] workload = option == "--workload" ? [] : ["--workload", "smallbank"];

        var (exitCode, _, error) = await _tool.RunAsync(["train", .. workload, option, value, "--out", _tool.PathOf("x.json")]);

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains(expected, error, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(_tool.PathOf("")));
    }

    [Theory]
    [InlineData("x.txt", ".json")]
    [InlineData("none/x.json", "no folder")]
    public async Task Where_the_table_goes_is_checked_before_anything_runs(string file, string expected)
    {
        var (exitCode, _, error) = await _tool.RunAsync(["train", "--workload", "smallbank", "--out", _tool.PathOf(file)]);

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains(expected, error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Validation_compares_every_table_and_says_how_well_the_orders_agree()
    {
        var (exitCode, output, error) = await _tool.RunAsync(["trace", "validate", .. s_workload, "--tables", "4", "--interval-transactions", "100", "--repeat", "1", "--least-tau", "-1"]);

        Assert.Equal("", error);
        Assert.Equal(ExitCodes.Done, exitCode);
        Assert.Contains("Kendall's τ over 4 tables", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Validation_needs_a_workload_that_it_can_run()
    {
        var (exitCode, _, error) = await _tool.RunAsync(["trace", "validate", "--trace", "x"]);

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains("--workload", error, StringComparison.Ordinal);
    }
}
