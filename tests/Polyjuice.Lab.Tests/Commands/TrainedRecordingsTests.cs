using System.CommandLine;
using System.Text.Json;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tool.Traces;
using Polyjuice.Lab.Tracing;
using Polyjuice.Tracing;

namespace Polyjuice.Lab.Tests.Commands;

/// <summary>What the laboratory records, the tool's trainer trains on.</summary>
public sealed class TrainedRecordingsTests : IDisposable
{
    private static readonly DateTimeOffset _recordedAt = new(2026, 3, 4, 12, 20, 0, TimeSpan.Zero);

    private readonly LabTool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Fact]
    public async Task What_was_recorded_is_collected_trained_on_and_kept_for_the_next_time()
    {
        await RecordAsync();

        var first = await _tool.RunAsync([.. Run(), "--once"]);
        var second = await _tool.RunAsync([.. Run(), "--once"]);

        Assert.Equal((ExitCodes.Done, ""), (first.ExitCode, first.Error));
        Assert.Contains("conflict rate 0.", first.Output, StringComparison.Ordinal);
        Assert.Contains("Training 1 begins", first.Output, StringComparison.Ordinal);
        var isPublished = first.Output.Contains(" is release 1: ", StringComparison.Ordinal);
        Assert.True(isPublished || first.Output.Contains("does not beat", StringComparison.Ordinal), first.Output);
        Assert.Equal(isPublished, File.Exists(Path.Combine(_tool.PathOf("store"), "00000001.json")));
        Assert.DoesNotContain("begins", second.Output, StringComparison.Ordinal);
        using var state = JsonDocument.Parse(
            await File.ReadAllTextAsync(Path.Combine(_tool.PathOf("state"), "state.json")));
        Assert.Equal(1, state.RootElement.GetProperty("trainings").GetInt32());
    }

    [Fact]
    public async Task A_window_with_too_few_transactions_is_said_to_have_too_few()
    {
        await RecordAsync(transactions: 50);

        var (exitCode, output, _) = await _tool.RunAsync([.. Run(), "--once"]);

        Assert.Equal(ExitCodes.Done, exitCode);
        Assert.Matches("[0-9]+ transactions were recorded, too few to say anything", output);
        Assert.DoesNotContain("begins", output, StringComparison.Ordinal);
    }

    private string[] Run() =>
    [
        "trainer", "run", "--traces", _tool.PathOf("traces"), "--store", _tool.PathOf("store"), "--state",
        _tool.PathOf("state"), "--network-ms", "1", "--append-ms", "2", "--clients", "16", "--transactions", "100",
        "--evaluations", "10", "--first-after", "1", "--window", "1h",
    ];

    private async Task RecordAsync(int transactions = 400)
    {
        var traces = _tool.PathOf("traces");
        var (workload, command) = (new TracedWorkload(seconds: "10"), new Command("record"));
        workload.AddTo(command);
        var parsed = command.Parse(
        [
            "multitransfer", "--theta", "0.6", "--accounts", "200", "--clients", "16", "--network-ms", "1",
            "--append-ms", "2", "--transactions", $"{transactions}",
        ]);
        var plan = workload.PlanOf(parsed);

        // In the middle of a window, whatever the time is: the trainer looks at each window by itself.
        plan = plan with { Shape = plan.Shape with { Clock = new TimeFrom(_recordedAt) } };
        var run = new TraceRun(PolyjuiceBenchmarkCluster.StartTraceableAsync, new SilentObserver());
        await run.RecordAsync(plan, workload.OptionsOf(parsed), new FileTraceSink(traces), CancellationToken.None);

        // As if that had been some hours ago, so that nobody is taken to write to them any more.
        foreach (var file in Directory.GetFiles(traces)) File.SetLastWriteTimeUtc(file, DateTime.UtcNow.AddHours(-3));
    }

    /// <summary>Goes as the system's clock does, from another moment on.</summary>
    private sealed class TimeFrom(DateTimeOffset start) : TimeProvider
    {
        private readonly long _begun = System.GetTimestamp();

        public override DateTimeOffset GetUtcNow() => start + System.GetElapsedTime(_begun);
    }
}
