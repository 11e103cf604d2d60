using System.Globalization;
using System.Text.Json;

namespace Polyjuice.Lab.Tests.Commands;

public sealed class TraceCommandTests : IDisposable
{
    private readonly LabTool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Fact]
    public async Task A_recorded_trace_is_merged_sliced_anonymised_and_exported()
    {
        var folder = _tool.PathOf("traces");
        Done(
            await _tool.RunAsync(
                "trace", "record", "smallbank", "--transactions", "400", "--clients", "4", "--accounts", "50", "--out",
                folder));

        var info = Done(await _tool.RunAsync("trace", "info", folder));
        Assert.Contains("IAccountGrain", info.Output, StringComparison.Ordinal);

        var merged = _tool.PathOf("merged.pjtrace");
        Done(await _tool.RunAsync("trace", "merge", folder, "--out", merged));
        Done(await _tool.RunAsync("trace", "export", merged, "--out", _tool.PathOf("all.jsonl")));

        // From the middle one to the last one, whenever those arrived.
        var arrivals = File.ReadLines(_tool.PathOf("all.jsonl")).Select(ArrivalOf).Order().ToArray();
        var (from, to) = (arrivals[arrivals.Length / 2], arrivals[^1]);
        Done(
            await _tool.RunAsync(
                "trace", "slice", merged, "--from", Seconds(from), "--to", Seconds(to), "--out",
                _tool.PathOf("slice.pjtrace")));
        Done(
            await _tool.RunAsync(
                "trace",
                "anonymise",
                _tool.PathOf("slice.pjtrace"),
                "--out",
                _tool.PathOf("anonymous.pjtrace"),
                "--salt",
                "a secret"));

        Done(
            await _tool.RunAsync(
                "trace", "export", _tool.PathOf("anonymous.pjtrace"), "--out", _tool.PathOf("part.jsonl")));
        Done(await _tool.RunAsync("trace", "export", merged, "--out", _tool.PathOf("all.csv"), "--format", "csv"));
        var (all, part) = (File.ReadAllLines(_tool.PathOf("all.jsonl")), File.ReadAllLines(_tool.PathOf("part.jsonl")));
        Assert.Equal(arrivals.Where(arrival => from <= arrival && arrival < to), part.Select(ArrivalOf).Order());
        Assert.InRange(part.Length, 1, all.Length - 1);
        var accesses = 0;
        foreach (var line in all)
        {
            using var json = JsonDocument.Parse(line);
            accesses += Math.Max(1, json.RootElement.GetProperty("accesses").GetArrayLength());
        }

        Assert.Equal(accesses + 1, File.ReadAllLines(_tool.PathOf("all.csv")).Length);
        using var first = JsonDocument.Parse(part[0]);
        Assert.All(
            first.RootElement.GetProperty("accesses").EnumerateArray(),
            access => Assert.Matches("^[0-9a-f]{32}$", access.GetProperty("grain").GetString()!));
    }

    // Chunks for all of it: where the machine is busy elsewhere, writing may fall behind by more than the default, and
    // the answer is no if anything was dropped.
    [Fact]
    public async Task What_recording_costs_is_printed_pair_by_pair()
    {
        var answer = Done(
            await _tool.RunAsync(
                "trace", "cost", "smallbank", "--transactions", "200", "--pairs", "2", "--clients", "4", "--accounts",
                "50", "--chunks", "1024"));
        Assert.Contains("throughput with by without: median", answer.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_calls_cost_is_measured_against_recording_without_them()
    {
        var answer = Done(
            await _tool.RunAsync(
                "trace", "cost", "smallbank", "--calls", "--calls-alone", "--transactions", "200", "--pairs", "2",
                "--clients", "4", "--accounts", "50", "--chunks", "1024"));
        Assert.Contains("throughput with by without: median", answer.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Recorded_calls_are_counted_made_again_exported_on_request_and_dropped_when_anonymised()
    {
        var folder = _tool.PathOf("traces");
        var recorded = Done(
            await _tool.RunAsync(
                "trace", "record", "multitransfer", "--calls", "--transactions", "100", "--clients", "4", "--accounts",
                "50", "--out", folder));
        Assert.Matches(@"\d calls with .* bytes of arguments; 0 without", recorded.Output);
        var merged = _tool.PathOf("merged.pjtrace");
        Done(await _tool.RunAsync("trace", "merge", folder, "--out", merged));
        Assert.Contains(
            "bytes of arguments, encoded as orleans, of 1 methods",
            Done(await _tool.RunAsync("trace", "info", merged)).Output,
            StringComparison.Ordinal);

        var replayed = Done(
            await _tool.RunAsync(
                "trace", "replay", merged, "--workload", "multitransfer", "--policy", "ic3,occ", "--repeat", "1",
                "--clients", "4", "--accounts", "50", "--json", _tool.PathOf("rows.json")));
        var arrived = Done(
            await _tool.RunAsync(
                "trace", "replay", merged, "--workload", "multitransfer", "--arrivals", "--speed", "100", "--repeat",
                "1", "--accounts", "50"));

        Assert.DoesNotContain("NOT MADE", replayed.Output, StringComparison.Ordinal);
        Assert.Contains("more than 10 ms late", arrived.Output, StringComparison.Ordinal);
        using (var rows = JsonDocument.Parse(File.ReadAllText(_tool.PathOf("rows.json"))))
        {
            var transactions = File.ReadAllLines(await ExportAsync(merged, "plain.jsonl")).Length;
            Assert.Equal(
                ["ic3", "occ"],
                rows.RootElement.EnumerateArray().Select(row => row.GetProperty("policy").GetString()));
            Assert.All(
                rows.RootElement.EnumerateArray(),
                row => Assert.Equal(
                    transactions, row.GetProperty("committed").GetInt32() + row.GetProperty("declined").GetInt32()));
        }

        Assert.DoesNotContain(
            "\"call\"", File.ReadAllText(await ExportAsync(merged, "plain.jsonl")), StringComparison.Ordinal);
        using (var first = JsonDocument.Parse(
            File.ReadAllLines(await ExportAsync(merged, "calls.jsonl", "--calls"))[0]))
        {
            var call = first.RootElement.GetProperty("call");
            Assert.Equal(
                ("Whole", "MultiTransfer(System.Int64[], System.Int64)"),
                (call.GetProperty("state").GetString(), call.GetProperty("method").GetString()));
            Assert.NotEmpty(call.GetProperty("arguments").GetBytesFromBase64());
        }

        var anonymous = _tool.PathOf("anonymous.pjtrace");
        Done(await _tool.RunAsync("trace", "anonymise", merged, "--out", anonymous, "--salt", "a secret"));
        var refused = await _tool.RunAsync(
            "trace", "replay", anonymous, "--workload", "multitransfer", "--accounts", "50");
        Assert.Equal(2, refused.ExitCode);
        Assert.Contains("trace record multitransfer --calls", refused.Error, StringComparison.Ordinal);
        Assert.Equal(
            2,
            (await _tool.RunAsync(
                "trace", "export", anonymous, "--calls", "--out", _tool.PathOf("none.jsonl"))).ExitCode);
        Assert.False(File.Exists(_tool.PathOf("none.jsonl")));
    }

    [Theory]
    [InlineData("trace", "record", "nothing", "--out", "x")]
    [InlineData("trace", "record", "smallbank", "--calls", "--salt", "a secret", "--out", "x")]
    [InlineData("trace", "record", "smallbank", "--calls", "--argument-bytes", "-1", "--out", "x")]
    [InlineData("trace", "cost", "smallbank", "--calls-alone")]
    [InlineData("trace", "replay", "no such file", "--workload", "nothing")]
    [InlineData("trace", "replay", "no such file", "--workload", "calls")]
    [InlineData("trace", "replay", "no such file", "--workload", "smallbank")]
    [InlineData("trace", "replay", "no such file", "--workload", "smallbank", "--arrivals", "--speed", "0")]
    [InlineData("trace", "export", "no such file", "--calls", "--format", "csv", "--out", "x")]
    [InlineData("trace", "record", "calls", "--out", "x")]
    [InlineData("trace", "record", "smallbank", "--policy", "occ,ic3", "--out", "x")]
    [InlineData("trace", "record", "smallbank", "--salt", "short", "--out", "x")]
    [InlineData("trace", "record", "smallbank", "--window-ms", "100", "--period-ms", "50", "--out", "x")]
    [InlineData("trace", "cost", "smallbank", "--pairs", "0")]
    [InlineData("trace", "info", "no such file")]
    [InlineData("trace", "slice", "no such file", "--from", "x", "--out", "x")]
    [InlineData("trace", "anonymise", "no such file", "--salt", "short", "--out", "x")]
    [InlineData("trace", "export", "no such file", "--format", "xml", "--out", "x")]
    public async Task Wrong_input_is_refused_in_a_sentence_and_makes_nothing(params string[] args)
    {
        var answer = await _tool.RunAsync(args);
        Assert.Equal(2, answer.ExitCode);
        Assert.NotEmpty(answer.Error);
        Assert.False(File.Exists("x") || Directory.Exists("x"));
    }

    [Fact]
    public async Task A_file_that_is_no_trace_is_named()
    {
        var answer = await _tool.RunAsync("trace", "info", _tool.Write("text.pjtrace", "This is no trace."));
        Assert.Equal(2, answer.ExitCode);
        Assert.Contains("text.pjtrace is no trace", answer.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_torn_end_is_cut_and_said()
    {
        Done(
            await _tool.RunAsync(
                "trace", "record", "smallbank", "--transactions", "100", "--clients", "4", "--accounts", "50", "--out",
                _tool.PathOf("traces")));
        Done(await _tool.RunAsync("trace", "merge", _tool.PathOf("traces"), "--out", _tool.PathOf("whole.pjtrace")));
        var bytes = File.ReadAllBytes(_tool.PathOf("whole.pjtrace"));
        File.WriteAllBytes(_tool.PathOf("torn.pjtrace"), bytes[..^5]);

        var answer = Done(await _tool.RunAsync("trace", "info", _tool.PathOf("torn.pjtrace")));

        Assert.Contains("cut at offset", answer.Error, StringComparison.Ordinal);
        Assert.Contains("not ended in good order", answer.Output, StringComparison.Ordinal);
    }

    private async Task<string> ExportAsync(string trace, string file, params string[] more)
    {
        Done(await _tool.RunAsync(["trace", "export", trace, "--out", _tool.PathOf(file), .. more]));
        return _tool.PathOf(file);
    }

    private static long ArrivalOf(string line)
    {
        using var json = JsonDocument.Parse(line);
        return json.RootElement.GetProperty("arrivalUs").GetInt64();
    }

    private static string Seconds(long microseconds) => (microseconds / 1e6m).ToString(CultureInfo.InvariantCulture);

    private static LabTool.Answer Done(LabTool.Answer answer)
    {
        Assert.True(answer.ExitCode == 0, answer.Output + answer.Error);
        return answer;
    }
}
