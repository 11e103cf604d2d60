using Polyjuice.Lab.Tool;
using System.Text.Json;
using Polyjuice.Lab.Tool.Commands;

namespace Polyjuice.Lab.Tests.Commands;

public sealed class BenchCommandTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("polyjuice-bench-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task An_unknown_workload_is_answered_with_the_valid_ones()
    {
        var (exitCode, _, error) = await RunAsync("bench", "tpcd");
        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains("\"tpcd\"", error, StringComparison.Ordinal);
        foreach (var workload in BenchCommand.Workloads.All)
            Assert.Contains(workload.Name, error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_unknown_option_is_answered_with_the_valid_ones()
    {
        var (exitCode, _, error) = await RunAsync("bench", "smallbank", "--polcy", "occ");
        Assert.Equal(ExitCodes.Refused, exitCode);
        foreach (var option in new[]
        {
            "--policy", "--silos", "--clients", "--theta", "--seconds", "--transactions", "--repeat", "--seed",
            "--network-ms", "--append-ms", "--json"
        })
            Assert.Contains(option, error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--policy", "best", "occ")]
    [InlineData("--theta", "0,hot", "\"hot\"")]
    [InlineData("--silos", "20", "from 1 to 16")]
    [InlineData("--clients", "-3", "--clients")]
    [InlineData("--clients", "64,many", "\"many\"")]
    [InlineData("--seconds", "0", "--seconds")]
    [InlineData("--transactions", "0", "--transactions")]
    [InlineData("--network-ms", "-1", "--network-ms")]
    [InlineData("--partitions", "many", "--partitions")]
    [InlineData("--warehouses", "0", "from 1 to 1000")]
    [InlineData("--scale", "3", "from 0.001 to 1")]
    [InlineData("--hot-percent", "101", "from 0 to 100")]
    [InlineData("--write-percent", "-1", "--write-percent")]
    [InlineData("--view", "here", "--view")]
    public async Task A_value_that_is_not_valid_is_refused_with_what_is(string option, string value, string expected)
    {
        var (exitCode, _, error) = await RunAsync("bench", "smallbank", option, value);
        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains(expected, error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_JSON_file_has_a_row_per_policy_and_skew_with_the_promised_fields()
    {
        var file = Path.Combine(_folder, "rows.json");
        var (exitCode, output, error) = await RunAsync(
            "bench", "multitransfer", "--policy", "occ,ic3", "--theta", "0,0.9", "--silos", "2", "--clients", "4",
            "--transactions", "200", "--repeat", "1", "--accounts", "50", "--json", file);
        Assert.Equal("", error);
        Assert.Equal(ExitCodes.Done, exitCode);
        Assert.Contains("money conserved", output, StringComparison.Ordinal);
        Assert.Contains("Transaction tax", output, StringComparison.Ordinal);
        using var rows = JsonDocument.Parse(await File.ReadAllTextAsync(file));
        Assert.Equal(
            ["occ 0", "ic3 0", "occ 0.9", "ic3 0.9"],
            rows.RootElement.EnumerateArray()
                .Select(r => $"{r.GetProperty("policy").GetString()} {r.GetProperty("theta").GetDouble()}"));
        Assert.All(rows.RootElement.EnumerateArray(), row =>
        {
            Assert.Equal("multitransfer", row.GetProperty("workload").GetString());
            Assert.True(row.GetProperty("committedPerSecond").GetDouble() > 0);
            Assert.True(row.GetProperty("tax").GetDouble() > 0);
        });
    }

    // Nothing bounds how many are open: whoever can go on must find that out, and nobody's time may run out.
    [Fact]
    public async Task Many_clients_who_all_are_let_in_are_all_served()
    {
        var (exitCode, output, error) = await RunAsync(
            "bench", "multitransfer", "--policy", "ic3,locking", "--theta", "0", "--silos", "2", "--clients", "512",
            "--open", "100000", "--transactions", "4000", "--repeat", "1", "--accounts", "10000", "--no-plain");
        Assert.Equal("", error);
        Assert.Equal(ExitCodes.Done, exitCode);
        Assert.Contains("money conserved", output, StringComparison.Ordinal);
        Assert.Contains("Waits ended by their deadline: 0.", output, StringComparison.Ordinal);
        Assert.Contains(
            "given up by the system: 0; turned away as overloaded: 0; in doubt: 0", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Tpcc_reports_every_type_of_transaction_and_tells_what_it_checked()
    {
        var file = Path.Combine(_folder, "tpcc.json");
        var (exitCode, output, error) = await RunAsync(
            "bench", "tpcc", "--policy", "occ", "--theta", "0,0.9", "--warehouses", "2", "--scale", "0.001",
            "--clients", "4", "--transactions", "300", "--repeat", "1", "--json", file);
        Assert.Equal("", error);
        Assert.Equal(ExitCodes.Done, exitCode);
        Assert.Contains("all 12 consistency conditions hold", output, StringComparison.Ordinal);
        Assert.Contains("2 warehouses", output, StringComparison.Ordinal);
        Assert.Contains("tpmC", output, StringComparison.Ordinal);
        using var rows = JsonDocument.Parse(await File.ReadAllTextAsync(file));
        var row = Assert.Single(rows.RootElement.EnumerateArray());
        Assert.Equal(
            ["NewOrder", "Payment", "Delivery", "OrderStatus", "StockLevel"],
            row.GetProperty("operations").EnumerateArray().Select(o => o.GetProperty("operation").GetString()));
        Assert.True(row.GetProperty("operations")[0].GetProperty("perMinute").GetDouble() > 0);
    }

    [Theory]
    [InlineData("calls", "every answer was right")]
    [InlineData("hotgrain", "tokens conserved")]
    public async Task The_other_workloads_run_too(string workload, string expected)
    {
        var (exitCode, output, error) = await RunAsync(
            "bench", workload, "--policy", "occ", "--theta", "0", "--clients", "4", "--transactions", "200", "--repeat",
            "1", "--accounts", "50");
        Assert.Equal("", error);
        Assert.Equal(ExitCodes.Done, exitCode);
        Assert.Contains(expected, output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_live_view_is_served_while_it_measures_and_no_longer()
    {
        var (output, error) = (new Visitor(), new StringWriter());
        var exitCode = await LabCommandLine.RunAsync(
            [
                "bench", "hotgrain", "--policy", "ic3", "--theta", "0", "--clients", "4", "--transactions", "200",
                "--repeat", "1", "--view", "0"
            ],
            output, error);
        Assert.Equal((ExitCodes.Done, ""), (exitCode, error.ToString()));
        Assert.Contains("polyjuice-lab bench hotgrain", output.Status, StringComparison.Ordinal);
        using var late = new HttpClient();
        await Assert.ThrowsAsync<HttpRequestException>(() => late.GetStringAsync(output.Address));
    }

    /// <summary>Looks at the page as soon as it reads where it is.</summary>
    private sealed class Visitor : StringWriter
    {
        private const string Announcement = "The live view: ";

        public string? Address { get; private set; }

        public string? Status { get; private set; }

        public override async Task WriteLineAsync(string? value)
        {
            if (value?.StartsWith(Announcement, StringComparison.Ordinal) == true)
            {
                Address = value[Announcement.Length..];
                using var client = new HttpClient();
                Status = await client.GetStringAsync($"{Address}api/v1/status");
            }

            await base.WriteLineAsync(value);
        }
    }

    private static async Task<(int ExitCode, string Output, string Error)> RunAsync(params string[] args)
    {
        var (output, error) = (new StringWriter(), new StringWriter());
        var exitCode = await LabCommandLine.RunAsync(args, output, error);
        return (exitCode, output.ToString(), error.ToString());
    }
}
