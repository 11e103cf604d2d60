namespace Polyjuice.Lab.Tests.Commands;

public sealed class TraceValidateCommandTests : IDisposable
{
    private static readonly string[] s_workload =
    [
        "--workload", "multitransfer", "--theta", "0.6", "--accounts", "200", "--clients", "16", "--network-ms", "1",
        "--append-ms", "2", "--record-transactions", "800", "--transactions", "100",
    ];

    private readonly LabTool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Theory]
    [InlineData("1")]
    [InlineData("2")]
    public async Task Validation_compares_every_table_and_says_how_well_the_orders_agree(string rounds)
    {
        var (exitCode, output, error) = await _tool.RunAsync([
            "trace", "validate", .. s_workload, "--tables", "4", "--interval-transactions", "100", "--repeat", rounds,
            "--least-tau", "-1"
        ]);

        Assert.Equal("", error);
        Assert.Equal(ExitCodes.Done, exitCode);
        Assert.Contains("Kendall's τ over 4 tables", output, StringComparison.Ordinal);

        // Halves of one round say nothing.
        Assert.Equal(
            rounds != "1", output.Contains("τ of the odd rounds beside the even ones", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Validation_needs_a_workload_that_it_can_run()
    {
        var (exitCode, _, error) = await _tool.RunAsync(["trace", "validate", "--trace", "x"]);

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains("--workload", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_recorded_trace_is_trained_on_by_the_tool()
    {
        var traces = _tool.PathOf("traces");
        var recorded = await _tool.RunAsync(
            "trace", "record", "multitransfer", "--theta", "0.6", "--accounts", "200", "--clients", "16",
            "--network-ms", "1", "--append-ms", "2", "--transactions", "800", "--out", traces);
        Assert.True(recorded.ExitCode == ExitCodes.Done, recorded.Error);

        var (_, output, error) = await _tool.RunAsync(
            "train", "--trace", traces, "--clients", "16", "--network-ms", "1", "--append-ms", "2", "--transactions",
            "100", "--evaluations", "12", "--algorithm", "ea", "--out", _tool.PathOf("found.json"));

        Assert.Equal("", error);
        Assert.Contains("a trace of ", output, StringComparison.Ordinal);
        Assert.Contains("on held-out data", output, StringComparison.Ordinal);
    }
}
