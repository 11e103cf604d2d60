using Polyjuice.Lab.Reporting;
using Polyjuice.Lab.Tool;

namespace Polyjuice.Lab.Tests.Commands;

public sealed class BenchTableCommandTests : IDisposable
{
    private readonly LabTool _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task A_column_for_each_skew_has_its_best_policy_in_bold_and_other_engines_last()
    {
        var file = Write("a.json",
            Row("orleans", 0, 50) with { Engine = "orleans" }, Row("even", 0, 90), Row("odd", 0, 100),
            Row("orleans", 0.9, 0) with { Engine = "orleans" }, Row("even", 0.9, 80), Row("odd", 0.9, 20),
            Row("plain", 0.9, 9_000) with { Engine = "plain" });
        Assert.Equal(
            """
            | committed/s | θ 0 | θ 0.9 |
            | --- | --- | --- |
            | even | 90.0 | **80.0** |
            | odd | **100** | 20.0 |
            | plain | – | 9,000 |
            | orleans | 50.0 | 0 |

            """, await PrintAsync(file));
    }

    [Fact]
    public async Task Columns_of_several_files_are_named_by_the_settings_that_differ()
    {
        var one = Write("one.json", Row("occ", 0, 300) with { Silos = 1, AbortedShare = 0.25 });
        var two = Write("two.json", Row("occ", 0, 200) with { AppendMs = 10 });
        Assert.Equal(
            """
            | committed/s | 1 silo, appends +0 ms | 2 silos, appends +10 ms |
            | --- | --- | --- |
            | occ | **300** (270 … 330), 25.0% | **200** (180 … 220), 0.0% |

            """, await PrintAsync(one, two, "--spread"));
    }

    [Fact]
    public async Task Costs_have_a_line_for_each_chosen_arm_in_the_order_of_choice()
    {
        var file = Write(
            "a.json",
            Row("occ", 0, 100),
            Row("ic3", 0, 100),
            Row("occ", 0.9, 100),
            Row("orleans", 0.9, 0) with { Engine = "orleans" },
            Row("ic3", 0.9, 100));
        Assert.Equal(
            """
            | setting | arm | committed/s | slowest … fastest round | aborted | p99 ms | µs of processor | KiB allocated | GC pauses |
            | --- | --- | --- | --- | --- | --- | --- | --- | --- |
            | θ 0.9 | orleans | 0 | 0 … 0 | – | – | – | – | 5.0% |
            | θ 0.9 | occ | 100 | 90.0 … 110 | 0.0% | 3.0 | 40 | 2.0 | 5.0% |

            """, await PrintAsync(file, "--costs", "--theta", "0.9", "--arms", "orleans,occ"));
    }

    [Fact]
    public async Task Rates_are_drawn_over_the_skew_a_chart_for_each_setting_and_a_curve_for_each_arm()
    {
        var one = Write("one.json", Row("occ", 0, 300), Row("occ", 0.9, 100), Row("ic3", 0, 200), Row("ic3", 0.9, 200));
        var two = Write(
            "two.json", Row("occ", 0, 200) with { AppendMs = 10 }, Row("occ", 0.9, 150) with { AppendMs = 10 });
        var svg = _lab.PathOf("rates.svg");

        await PrintAsync(one, two, "--svg", svg);

        var drawing = System.Xml.Linq.XDocument.Load(svg);
        Assert.Equal(3, drawing.Descendants().Count(element => element.Name.LocalName == "polyline"));
        Assert.Contains(
            drawing.Descendants(),
            element => element.Value == "smallbank, 2 silos, logs in memory, appends +10 ms: committed/s");
        var refused = await _lab.RunAsync("bench", "table", one, "--theta", "0", "--svg", svg);
        Assert.Equal(ExitCodes.Refused, refused.ExitCode);
        Assert.Contains("at least two skews", refused.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Shares_say_what_each_policy_makes_of_the_best_over_all_workloads()
    {
        var file = Write(
            "a.json",
            Row("even", 0, 100),
            Row("odd", 0, 100),
            Row("even", 0.9, 81),
            Row("odd", 0.9, 25),
            Row("plain", 0.9, 9_000) with { Engine = "plain" });
        var other = Write(
            "b.json", Row("even", 0, 100) with { Workload = "tpcc" }, Row("odd", 0, 200) with { Workload = "tpcc" });
        Assert.Equal(
            """
            | of the best, 3 settings | geometric mean | worst | where |
            | --- | --- | --- | --- |
            | even | 79% | 50% | tpcc |
            | odd | 68% | 31% | smallbank, θ 0.9 |

            """, await PrintAsync(file, other, "--shares"));
    }

    [Fact]
    public async Task One_arm_that_was_measured_twice_has_no_column()
    {
        var (file, again) = (Write("a.json", Row("occ", 0, 100)), Write("b.json", Row("occ", 0, 110)));
        var (exitCode, _, error) = await _lab.RunAsync("bench", "table", file, again);
        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains("occ was measured twice with the same setting (θ 0)", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("{", "can't be read")]
    [InlineData("[]", "No row is left")]
    public async Task What_holds_no_rows_is_refused(string content, string expected)
    {
        await RefusesAsync(expected, _lab.Write("rows.json", content));
    }

    [Fact]
    public async Task A_file_that_is_not_there_and_an_arm_that_was_not_measured_are_refused()
    {
        await RefusesAsync("none.json", _lab.PathOf("none.json"));
        await RefusesAsync("There are: occ.", Write("a.json", Row("occ", 0, 100)), "--arms", "ic3");
    }

    private async Task RefusesAsync(string expected, params string[] arguments)
    {
        var (exitCode, _, error) = await _lab.RunAsync(["bench", "table", .. arguments]);
        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains(expected, error, StringComparison.Ordinal);
    }

    private async Task<string> PrintAsync(params string[] arguments)
    {
        var (exitCode, output, error) = await _lab.RunAsync(["bench", "table", .. arguments]);
        Assert.Equal((ExitCodes.Done, ""), (exitCode, error));
        return output;
    }

    private string Write(string name, params BenchmarkRow[] rows) => _lab.Write(name, RowJson.Write(rows));

    private static BenchmarkRow Row(string policy, double theta, double rate) => new()
    {
        Workload = "smallbank", Policy = policy, Theta = theta, Silos = 2, Clients = 64, NetworkMs = 0, AppendMs = 0,
        CommittedPerSecond = rate, CommittedPerSecondMin = rate * 0.9, CommittedPerSecondMax = rate * 1.1,
        CpuMicrosecondsPerTransaction = 40, AllocatedBytesPerTransaction = 2_048, GcPauseShare = 0.05, AbortedShare = 0,
        P50Ms = 1, P95Ms = 2, P99Ms = 3, BytesPerTransaction = 0, MessagesPerTransaction = 0, AppendsPerTransaction = 0,
        WaitsEndedByDeadline = 0, Repeat = 3, Seconds = 3, RetriesPerTransaction = 0, WaitsPerTransaction = 0,
        Attempts = 0, AbortsByReason = new Dictionary<string, long>(), Committed = 0, Declined = 0, GivenUp = 0,
        InDoubt = 0, NotStarted = 0, Accounts = 10_000, Seed = 1, Machine = "test",
    };
}
