using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using Polyjuice.LiveView.Access;
using Polyjuice.LiveView.Measuring;
using Polyjuice.Policies;
using Polyjuice.Tracing;

namespace Polyjuice.LiveView.Tests.Api;

public sealed class ApiTests
{
    [Fact]
    public async Task Figures_of_running_silos_are_told()
    {
        await using var view = await RunningView.StartAsync(options => options.Title = "Bank");
        view.Policies.Swap(BuiltinPolicies.Get("locking"));
        await using (view.Work())
        {
            // The first question makes engines count conflicts.
            await view.SampleAsync(sample => sample.Commits > 0);
            await GetAsync(view, "grains");
            await view.SampleAsync(sample => sample.Number >= 4 && sample.Types.Any(IsTransfer));
            var grains = await WhenAsync(view, "grains", answer => answer.GetArrayLength() > 0);
            Assert.StartsWith(
                "account-", grains[0].GetProperty("grain").GetString()!.Split('/')[1], StringComparison.Ordinal);
            Assert.InRange(grains[0].GetProperty("conflictShare").GetDouble(), 1e-9, 1);

            // Waits are told when they have ended.
            await WhenAsync(
                view, "waits?seconds=600", answer => answer.GetProperty("sites").EnumerateArray().Any(IsWaitedAt));
        }

        var status = await GetAsync(view, "status");
        Assert.Equal(
            (1, "Bank", false),
            (status.GetProperty(
                "schema").GetInt32(), status.GetProperty(
                    "title").GetString(), status.GetProperty("mayAct").GetBoolean()));
        Assert.Equal(ActionRule.ReadOnly, status.GetProperty("hint").GetString());

        var history = await GetAsync(view, "history");

        // A commit is counted and then timed: a sample that is taken in
        // between has the one, and the next sample the other.
        var busy = history.EnumerateArray()
            .Last(
                sample => sample.GetProperty("commits").GetInt64() > 0
                    && sample.GetProperty("types").EnumerateArray()
                        .Any(type => type.GetProperty("type").GetString() == "IAtmGrain.Transfer"));
        Assert.InRange(
            busy.GetProperty("types").EnumerateArray()
                .Single(type => type.GetProperty("type").GetString() == "IAtmGrain.Transfer").GetProperty("p99")
                .GetDouble(),
            1e-6,
            60);

        // A second or so; less or more if the machine has kept the sampler waiting.
        Assert.True(busy.GetProperty("seconds").GetDouble() > 0);
        Assert.Equal(2, busy.GetProperty("policyVersion").GetInt32());

        var waits = await GetAsync(view, "waits?seconds=600");
        Assert.Contains(waits.GetProperty("sites").EnumerateArray(), IsWaitedAt);
    }

    [Fact]
    public async Task Who_follows_hears_of_each_sample()
    {
        await using var view = await RunningView.StartAsync();
        using var timeout = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        await using var stream = await view.Client.GetStreamAsync("api/v1/events?after=0", timeout.Token);
        using var reader = new StreamReader(stream);
        var number = 0L;
        for (var events = 0; events < 2;)
        {
            var line = await reader.ReadLineAsync(timeout.Token);
            if (!line!.StartsWith("data: ", StringComparison.Ordinal)) continue;
            using var data = JsonDocument.Parse(line["data: ".Length..]);
            var samples = data.RootElement.GetProperty("samples");
            Assert.Equal(number + 1, samples[0].GetProperty("number").GetInt64());
            number = samples[samples.GetArrayLength() - 1].GetProperty("number").GetInt64();
            Assert.Equal(JsonValueKind.Array, data.RootElement.GetProperty("waits").GetProperty("sites").ValueKind);
            events++;
        }
    }

    [Fact]
    public async Task No_more_may_follow_than_the_options_say_and_the_place_of_who_has_gone_is_free()
    {
        await using var view = await RunningView.StartAsync(options => options.EventStreamsMax = 1);
        using (var first = await view.Client.GetAsync("api/v1/events", HttpCompletionOption.ResponseHeadersRead))
        {
            Assert.Equal(HttpStatusCode.OK, first.StatusCode);
            using var second = await view.Client.GetAsync("api/v1/events");
            Assert.Equal(HttpStatusCode.ServiceUnavailable, second.StatusCode);
            Assert.Contains("EventStreamsMax", await second.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        }

        using var timeout = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        for (var status = HttpStatusCode.ServiceUnavailable; status != HttpStatusCode.OK;)
        {
            // The server hears of it when it writes the next time.
            var seen = view.History.LatestNumber;
            await view.SampleAsync(sample => sample.Number > seen);
            using var third = await view.Client.GetAsync(
                "api/v1/events", HttpCompletionOption.ResponseHeadersRead, timeout.Token);
            status = third.StatusCode;
        }
    }

    [Fact]
    public async Task The_table_in_force_is_told_with_every_site_that_was_seen()
    {
        await using var view = await RunningView.StartAsync();
        await using (view.Work()) await view.SampleAsync(sample => sample.Types.Any(IsTransfer));
        var policy = await GetAsync(view, "policies/current");
        Assert.Equal((1, "ic3"), (policy.GetProperty("version").GetInt32(), policy.GetProperty("name").GetString()));
        var table = policy.GetProperty("table");
        var section = table.GetProperty("sections").EnumerateArray()
            .Single(section => section.GetProperty("type").GetString()!.Contains("Transfer", StringComparison.Ordinal));
        Assert.Equal(2, section.GetProperty("rows").GetArrayLength());
        Assert.Equal(
            table.GetProperty("columns").GetArrayLength() - 1,
            section.GetProperty("rows")[0].GetProperty("cells").GetArrayLength());
    }

    [Fact]
    public async Task The_table_in_force_is_told_in_sentences_beside_others()
    {
        await using var view = await RunningView.StartAsync();
        view.Policies.Swap(BuiltinPolicies.Get("locking"));
        await using (view.Work()) await view.SampleAsync(sample => sample.Types.Any(IsTransfer));

        var explanation = (await GetAsync(view, "policies/current")).GetProperty("explanation");

        var compared = explanation.GetProperty("compared").EnumerateArray().Select(name => name.GetString());
        Assert.Equal(["ic3", "occ"], compared);
        var sentences = explanation.GetProperty("sections").EnumerateArray()
            .SelectMany(section => section.GetProperty("sentences").EnumerateArray())
            .Select(text => text.GetString()!).ToList();
        Assert.Contains("occ does not wait for holders.", sentences);
        Assert.Contains(sentences, text => text.StartsWith("Transfer waits for holders of ", StringComparison.Ordinal));

        var own = (await GetAsync(view, "policies/1")).GetProperty("explanation").GetProperty("compared");
        Assert.Equal(["occ"], own.EnumerateArray().Select(name => name.GetString()));
    }

    [Fact]
    public async Task Types_that_nobody_can_start_are_told_with_what_may_be_meant()
    {
        await using var view = await RunningView.StartAsync();
        var types = new[] { "IAtmGrain.Transfer", "IAtmGrain.Transfr" }.Select(
            type => new TypePolicy { Type = type, Default = PolicyCells.Plain });
        view.Policies.Swap(
            new DocumentPolicy(
                new PolicyDocument { Name = "mistyped", Rule = PolicyRules.Uniform, Types = [.. types] }));

        var unknown = (await GetAsync(view, "policies/current")).GetProperty("unknownTypes");

        Assert.Equal(1, unknown.GetArrayLength());
        var (type, nearest) = (
            unknown[0].GetProperty("type").GetString(), unknown[0].GetProperty("nearest").GetString());
        Assert.Equal(("IAtmGrain.Transfr", "IAtmGrain.Transfer"), (type, nearest));
        Assert.Equal(0, (await GetAsync(view, "policies/1")).GetProperty("unknownTypes").GetArrayLength());
    }

    [Fact]
    public async Task The_page_itself_has_what_is_known_when_it_is_asked_for()
    {
        await using var view = await RunningView.StartAsync(options => options.Title = "A <b>bank</b> & more");
        await using (view.Work())
        {
            await view.SampleAsync(sample => sample.Types.Any(IsTransfer));
        }

        var page = await view.Client.GetStringAsync("");

        Assert.Contains("<h1 id=\"title\">A &lt;b&gt;bank&lt;/b&gt; &amp; more</h1>", page, StringComparison.Ordinal);
        Assert.Matches("<dd data-figure=\"committed\">[0-9.,]+/s</dd>", page);
        Assert.DoesNotContain("{{", page, StringComparison.Ordinal);
        const string Begin = "<script type=\"application/json\" id=\"first\">";
        var data = page[(page.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length)..];
        using var first = JsonDocument.Parse(data[..data.IndexOf("</script>", StringComparison.Ordinal)]);
        var samples = first.RootElement.GetProperty("samples");
        Assert.Contains(samples.EnumerateArray(), sample => sample.GetProperty("commits").GetInt64() > 0);
        Assert.Equal(JsonValueKind.Null, first.RootElement.GetProperty("dashboard").ValueKind);
        Assert.Equal(HttpStatusCode.NotFound, (await view.Client.GetAsync("assets/index.html")).StatusCode);
    }

    [Fact]
    public async Task A_recording_is_told_as_long_as_it_lasts()
    {
        await using var view = await RunningView.StartAsync();
        await view.SampleAsync(sample => sample.Trace.Recordings == 0);
        view.Silo.StartTrace(new TraceRecorderOptions(), new MemoryTraceSink());
        await using (view.Work()) await view.SampleAsync(sample => sample.Trace is { Recordings: 1, Attempts: > 0 });
        await view.Silo.StopTraceAsync();
        await view.SampleAsync(sample => sample.Trace == new RecordingFigures(0, 0, 0, 0));
    }

    [Fact]
    public async Task Versions_are_listed_and_compared()
    {
        await using var view = await RunningView.StartAsync();
        view.Policies.Swap(BuiltinPolicies.Get("locking"));
        var versions = await GetAsync(view, "policies");
        Assert.Equal(
            ["locking", "ic3"], versions.EnumerateArray().Select(version => version.GetProperty("name").GetString()));
        Assert.True(versions[0].GetProperty("isInForce").GetBoolean());
        var diff = await GetAsync(view, "policies/diff?left=1&right=2");
        Assert.NotEqual(0, diff.GetProperty("differences").GetArrayLength());
        Assert.Equal("locking", (await GetAsync(view, "policies/2")).GetProperty("name").GetString());
    }

    [Theory]
    [InlineData("policies/7", HttpStatusCode.NotFound, "1 to 1")]
    [InlineData("policies/one", HttpStatusCode.BadRequest, "whole number")]
    [InlineData("policies/diff?left=1", HttpStatusCode.BadRequest, "whole number")]
    [InlineData("waits?seconds=0", HttpStatusCode.BadRequest, "1 to 600")]
    public async Task Wrong_questions_are_answered_with_what_is_right(
        string path, HttpStatusCode status, string expected)
    {
        await using var view = await RunningView.StartAsync();
        using var answer = await view.Client.GetAsync($"api/v1/{path}");
        Assert.Equal(status, answer.StatusCode);
        Assert.Contains(expected, await answer.Content.ReadAsStringAsync(), StringComparison.Ordinal);
    }

    private static bool IsWaitedAt(JsonElement site) =>
        site.GetProperty("seconds").GetDouble() > 0 && site.GetProperty("target").GetString()!.Length > 0;

    private static bool IsTransfer(TypeLatency type) => type.Type == "IAtmGrain.Transfer";

    private static Task<JsonElement> GetAsync(RunningView view, string path) =>
        view.Client.GetFromJsonAsync<JsonElement>($"api/v1/{path}");

    /// <summary>Asks once a sample until the answer is as it should be.</summary>
    private static async Task<JsonElement> WhenAsync(RunningView view, string path, Func<JsonElement, bool> condition)
    {
        for (var i = 0; i < 30; i++)
        {
            var answer = await GetAsync(view, path);
            if (condition(answer)) return answer;
            var seen = view.History.LatestNumber;
            await view.SampleAsync(sample => sample.Number > seen);
        }

        throw new TimeoutException($"{path} never said what it should.");
    }
}
