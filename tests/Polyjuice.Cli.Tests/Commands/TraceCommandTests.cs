using System.Text.Json;

namespace Polyjuice.Cli.Tests.Commands;

public sealed class TraceCommandTests : IDisposable
{
    private readonly Tool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Fact]
    public async Task A_recorded_trace_is_merged_sliced_anonymised_and_exported()
    {
        var folder = _tool.PathOf("traces");
        Done(await _tool.RunAsync("trace", "record", "smallbank", "--seconds", "0.2", "--clients", "4", "--accounts", "50", "--out", folder));

        var info = Done(await _tool.RunAsync("trace", "info", folder));
        Assert.Contains("IAccountGrain", info.Output, StringComparison.Ordinal);

        var merged = _tool.PathOf("merged.pjtrace");
        Done(await _tool.RunAsync("trace", "merge", folder, "--out", merged));
        Done(await _tool.RunAsync("trace", "slice", merged, "--from", "0.05", "--to", "0.1", "--out", _tool.PathOf("slice.pjtrace")));
        Done(await _tool.RunAsync("trace", "anonymise", _tool.PathOf("slice.pjtrace"), "--out", _tool.PathOf("anonymous.pjtrace"), "--salt", "a secret"));

        Done(await _tool.RunAsync("trace", "export", merged, "--out", _tool.PathOf("all.jsonl")));
        Done(await _tool.RunAsync("trace", "export", _tool.PathOf("anonymous.pjtrace"), "--out", _tool.PathOf("part.jsonl")));
        Done(await _tool.RunAsync("trace", "export", merged, "--out", _tool.PathOf("all.csv"), "--format", "csv"));
        var (all, part) = (File.ReadAllLines(_tool.PathOf("all.jsonl")), File.ReadAllLines(_tool.PathOf("part.jsonl")));
        Assert.InRange(part.Length, 1, all.Length - 1);
        var accesses = 0;
        foreach (var line in all)
        {
            using var json = JsonDocument.Parse(line);
            accesses += Math.Max(1, json.RootElement.GetProperty("accesses").GetArrayLength());
        }

        Assert.Equal(accesses + 1, File.ReadAllLines(_tool.PathOf("all.csv")).Length);
        using var first = JsonDocument.Parse(part[0]);
        Assert.InRange(first.RootElement.GetProperty("arrivalUs").GetInt64(), 50_000, 100_000);
        Assert.All(first.RootElement.GetProperty("accesses").EnumerateArray(), access => Assert.Matches("^[0-9a-f]{32}$", access.GetProperty("grain").GetString()!));
    }

    [Fact]
    public async Task What_recording_costs_is_printed_pair_by_pair()
    {
        var answer = Done(await _tool.RunAsync("trace", "cost", "smallbank", "--seconds", "0.1", "--pairs", "2", "--clients", "4", "--accounts", "50"));
        Assert.Contains("throughput with by without: median", answer.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("trace", "record", "nothing", "--out", "x")]
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
        Done(await _tool.RunAsync("trace", "record", "smallbank", "--seconds", "0.1", "--clients", "4", "--accounts", "50", "--out", _tool.PathOf("traces")));
        Done(await _tool.RunAsync("trace", "merge", _tool.PathOf("traces"), "--out", _tool.PathOf("whole.pjtrace")));
        var bytes = File.ReadAllBytes(_tool.PathOf("whole.pjtrace"));
        File.WriteAllBytes(_tool.PathOf("torn.pjtrace"), bytes[..^5]);

        var answer = Done(await _tool.RunAsync("trace", "info", _tool.PathOf("torn.pjtrace")));

        Assert.Contains("cut at offset", answer.Error, StringComparison.Ordinal);
        Assert.Contains("not ended in good order", answer.Output, StringComparison.Ordinal);
    }

    private static Tool.Answer Done(Tool.Answer answer)
    {
        Assert.True(answer.ExitCode == 0, answer.Output + answer.Error);
        return answer;
    }
}
