using System.Net;

namespace Polyjuice.Packages.Tests;

[Collection(PackagesCollection.Name)]
public sealed class TemplateTests(PackedPackages packages) : IDisposable
{
    private const string Release = "Release";

    private readonly TestFolder _folder = new();
    private readonly string _port = $"{LoopbackPorts.Free(1)[0]}";

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_bank_that_is_made_of_the_template_passes_its_tests_and_trains_while_its_page_is_shown()
    {
        await MakeAsync();
        var solution = _folder.File("Shop", "Shop.slnx");
        await DotnetCommand.RunAsync(_folder.Path, "build", solution, "-c", Release, "-m:2", "-warnaserror");
        var tests = await DotnetCommand.RunAsync(_folder.Path, "test", solution, "-c", Release, "--no-build");
        Assert.Contains("Passed!", tests, StringComparison.Ordinal);
        var help = await DotnetCommand.RunAsync(_folder.Path, Program("Shop.Trainer"), "--help");
        Assert.All(
            ["--trace", "--clients", "--out"], option => Assert.Contains(option, help, StringComparison.Ordinal));

        using var silo = DotnetCommand.Start(_folder.File("Shop", "Shop.Silo"), [Program("Shop.Silo"), .. Quickly()]);
        await silo.WhenPrintedAsync("Training 1 begins");
        using var client = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{_port}") };
        Assert.Contains("Shop", await client.GetStringAsync("/polyjuice/api/v1/status"), StringComparison.Ordinal);
        Assert.Equal("Healthy", await client.GetStringAsync("/health/ready"));
        Assert.Equal("Healthy", await client.GetStringAsync("/health/live"));
        using var page = await client.GetAsync("/");
        Assert.Equal(
            (HttpStatusCode.OK, "/polyjuice/"), (page.StatusCode, page.RequestMessage!.RequestUri!.AbsolutePath));
        var came = await silo.WhenPrintedAsync("Training 1: ");

        // Every ten seconds, which the training may be faster than.
        var report = await silo.WhenPrintedAsync(" calls a second, ");
        await silo.TerminateAsync();

        // Whether there is a better table, the search decides.
        var isPublished = came.Contains(" is release 1: ", StringComparison.Ordinal);
        Assert.True(isPublished || came.Contains("does not beat", StringComparison.Ordinal), came);
        Assert.Equal(isPublished, File.Exists(_folder.File("Shop", "Shop.Silo", "data", "policies", "00000001.json")));
        Assert.Contains(" calls a second, 0 failed so far.", report, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_bank_with_an_app_host_runs_under_Aspire_and_tells_its_dashboard_what_it_does()
    {
        await MakeAsync("--aspire", "true");
        var host = _folder.File("Shop", "Shop.AppHost");

        // What package sources lack of what Aspire names, the next version stands in for.
        await DotnetCommand.RunAsync(
            _folder.Path, "build", host, "-c", Release, "-m:2", "-warnaserror", "-warnasmessage:NU1603");

        var ports = LoopbackPorts.Free(5);
        using var aspire = DotnetCommand.StartWith(
            new Dictionary<string, string>
            {
                ["ASPNETCORE_URLS"] = $"http://127.0.0.1:{ports[0]}",
                ["ASPIRE_DASHBOARD_OTLP_ENDPOINT_URL"] = $"http://127.0.0.1:{ports[1]}",
                ["ASPIRE_RESOURCE_SERVICE_ENDPOINT_URL"] = $"http://127.0.0.1:{ports[2]}",
                ["ASPIRE_ALLOW_UNSECURED_TRANSPORT"] = "true",
                ["ASPIRE_DASHBOARD_UNSECURED_ALLOW_ANONYMOUS"] = "true",
                ["SiloPort"] = $"{ports[3]}",
                ["GatewayPort"] = $"{ports[4]}",
            },
            host, Program("Shop.AppHost"));
        await aspire.WhenPrintedAsync($"Now listening on: http://127.0.0.1:{ports[0]}");

        // The dashboard tells of each span that comes, also of those that have come before.
        using var dashboard = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{ports[0]}") };
        await WhenSentAsync(dashboard, "/api/telemetry/spans?follow=true", "\"scope\":{\"name\":\"Polyjuice\"");
        await WhenSentAsync(dashboard, "/api/telemetry/logs?follow=true", "\"scope\":{\"name\":\"Polyjuice.");
        using var silo = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{_port}") };
        Assert.Equal("Healthy", await silo.GetStringAsync("/health/ready"));

        // Aspire ends the silo a moment after it has ended itself; with it ends what the silo sends.
        await using var events = await silo.GetStreamAsync("/polyjuice/api/v1/events");
        await aspire.TerminateAsync();
        await Record.ExceptionAsync(() => events.CopyToAsync(Stream.Null)).WaitAsync(TimeSpan.FromMinutes(2));
    }

    private static async Task WhenSentAsync(HttpClient client, string path, string part)
    {
        await using var stream = await client.GetStreamAsync(path);
        using var reader = new StreamReader(stream);
        using var patience = new CancellationTokenSource(TimeSpan.FromMinutes(3));
        while (await reader.ReadLineAsync(patience.Token) is { } line)
        {
            if (line.Contains(part, StringComparison.Ordinal)) return;
        }

        Assert.Fail($"{path} ended without {part}.");
    }

    private string Program(string project) =>
        _folder.File("Shop", project, "bin", Release, "net10.0", $"{project}.dll");

    private async Task MakeAsync(params string[] options)
    {
        packages.WriteConfiguration(_folder);
        var package = Path.Combine(packages.Folder, $"Polyjuice.Templates.{packages.Version}.nupkg");
        string[] own = ["--debug:custom-hive", _folder.File("templates")];
        await DotnetCommand.RunAsync(_folder.Path, ["new", "install", package, .. own]);
        await DotnetCommand.RunAsync(
            _folder.Path, ["new", "polyjuice-bank", "-o", "Shop", "--port", _port, .. options, .. own]);
    }

    // One window of ten seconds, and a search of one.
    private static string[] Quickly()
    {
        var ports = LoopbackPorts.Free(2);
        string[] trainer = ["Window=00:00:10", "FirstAfterWindows=1", "Budget=00:00:01", "TrialReplays=2"];
        return
        [
            $"--SiloPort={ports[0]}", $"--GatewayPort={ports[1]}",
            .. trainer.Select(option => $"--Polyjuice:Trainer:{option}"),
        ];
    }
}
