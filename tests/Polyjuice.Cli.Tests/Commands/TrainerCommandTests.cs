using System.Globalization;
using System.Net;
using System.Text.Json;
using Polyjuice.Policies;

namespace Polyjuice.Cli.Tests.Commands;

public sealed class TrainerCommandTests : IDisposable
{
    private readonly Tool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Fact]
    public async Task The_forecast_is_judged_by_made_up_rates()
    {
        var (exitCode, output, _) = await _tool.RunAsync("trainer", "forecast", "--synthetic", "--seeds", "5");

        Assert.Equal(ExitCodes.Done, exitCode);
        Assert.Contains(
            "of 5 series: a smaller error in 5, trained within two windows of each shift in 5, at most three times "
            + "besides in 5",
            output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_forecast_is_judged_by_a_file_of_rates()
    {
        var begin = new DateTime(2026, 3, 1, 0, 0, 0, DateTimeKind.Utc);
        var rates = Enumerable.Range(0, 20 * 24).Select(hour => string.Create(
            CultureInfo.InvariantCulture,
            $"{begin.AddHours(hour):yyyy-MM-dd'T'HH:mm:ss'Z'},{(hour % 24 == 20 ? 0.4 : 0.2)}\n"));
        var file = _tool.Write("rates.csv", "window,rate\n" + string.Concat(rates));

        var (exitCode, output, _) = await _tool.RunAsync("trainer", "forecast", "--history", file);

        Assert.Equal(ExitCodes.Done, exitCode);
        Assert.Contains("480 windows, 19 days judged", output, StringComparison.Ordinal);
        Assert.Contains("after 2026-03-01T23:00Z", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("2026-03-01T00:00:00Z,2", "no window's start and its rate")]
    [InlineData("2026-03-01T00:00:00Z,0.1\n2026-03-01T00:30:00Z,0.1", "not in a later window")]
    [InlineData("2026-03-01T00:00:00Z,0.1", "at least two days")]
    public async Task Rates_that_are_none_are_refused(string rates, string message)
    {
        var (exitCode, _, error) = await _tool.RunAsync(
            "trainer", "forecast", "--history", _tool.Write("rates.csv", rates));

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains(message, error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task It_answers_for_its_health_until_it_is_ended()
    {
        var port = LoopbackPorts.Free(1)[0];
        using var ending = new CancellationTokenSource();
        var output = new StartedWriter();
        var running = CommandLine.RunAsync(
            [.. Run(), "--health-port", port.ToString(CultureInfo.InvariantCulture)],
            output,
            TextWriter.Null,
            ending.Token);
        await Task.WhenAny(output.Started, running);
        using var client = new HttpClient { BaseAddress = new Uri($"http://localhost:{port}") };

        Assert.Equal(HttpStatusCode.OK, (await client.GetAsync("/health/live")).StatusCode);
        using var status = JsonDocument.Parse(await client.GetStringAsync("/status"));
        Assert.Equal(0, status.RootElement.GetProperty("windowsSeen").GetInt64());
        Assert.Equal(HttpStatusCode.NotFound, (await client.GetAsync("/other")).StatusCode);

        await ending.CancelAsync();
        Assert.Equal(ExitCodes.Done, await running);
    }

    [Fact]
    public async Task The_page_shows_the_training_and_what_is_published()
    {
        var policy = _tool.Write("mine.json", PolicyWriter.Write(BuiltinPolicies.Get("ic3").Document));
        Assert.Equal(
            ExitCodes.Done,
            (await _tool.RunAsync("policy", "publish", policy, "--store", _tool.PathOf("store"))).ExitCode);
        var port = LoopbackPorts.Free(1)[0];
        using var ending = new CancellationTokenSource();
        var output = new StartedWriter("The live view");
        var running = CommandLine.RunAsync(
            [.. Run(), "--view", port.ToString(CultureInfo.InvariantCulture)], output, TextWriter.Null, ending.Token);
        await Task.WhenAny(output.Started, running);
        using var client = new HttpClient { BaseAddress = new Uri($"http://localhost:{port}/") };

        using var training = JsonDocument.Parse(await client.GetStringAsync("api/v1/training"));
        Assert.Contains("waiting", training.RootElement.GetProperty("state").GetString(), StringComparison.Ordinal);
        using var policies = JsonDocument.Parse(await client.GetStringAsync("api/v1/policies"));
        Assert.Equal(
            ["ic3", "occ"],
            policies.RootElement.EnumerateArray().Select(version => version.GetProperty("name").GetString()));

        await ending.CancelAsync();
        Assert.Equal(ExitCodes.Done, await running);
    }

    [Theory]
    [InlineData("--view", "70000", "--view")]
    [InlineData("--window", "7m", "a day is a whole number")]
    [InlineData("--threshold", "0", "--threshold")]
    [InlineData("--algorithm", "ours,ea", "one algorithm")]
    [InlineData("--name", "a b", "Name")]
    [InlineData("--key", "missing.pem", "missing.pem")]
    [InlineData("--rounds", "3", "--rounds is for --assembly")]
    [InlineData("--assembly", "missing.dll", "missing.dll")]
    public async Task What_is_not_valid_is_refused_by_name_and_nothing_is_made(
        string option, string value, string message)
    {
        string[] run = option == "--window" ? Run(window: value) : [.. Run(), option, value];
        var (exitCode, _, error) = await _tool.RunAsync([.. run, "--once"]);

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains(message, error, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFileSystemEntries(_tool.PathOf("")));
    }

    /// <param name="window">Of a day, so that hardly ever one ends in the middle of a recording.</param>
    private string[] Run(string window = "24h") =>
    [
        "trainer", "run", "--traces", _tool.PathOf("traces"), "--store", _tool.PathOf("store"), "--state",
        _tool.PathOf("state"), "--network-ms", "1", "--append-ms", "2", "--clients", "16", "--transactions", "100",
        "--evaluations", "30", "--first-after", "1", "--window", window,
    ];

    private sealed class StartedWriter(string sign = "") : StringWriter
    {
        private readonly TaskCompletionSource _started = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task Started => _started.Task;

        public override void WriteLine(string? value)
        {
            base.WriteLine(value);
            if (value?.Contains(sign, StringComparison.Ordinal) == true) _started.TrySetResult();
        }
    }
}
