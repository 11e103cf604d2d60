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
        Assert.All(["--trace", "--clients", "--out"], option => Assert.Contains(option, help, StringComparison.Ordinal));

        using var silo = DotnetCommand.Start(_folder.File("Shop", "Shop.Silo"), [Program("Shop.Silo"), .. Quickly()]);
        await silo.WhenPrintedAsync("Training 1 begins");
        using var client = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{_port}") };
        Assert.Contains("Shop", await client.GetStringAsync("/polyjuice/api/v1/status"), StringComparison.Ordinal);
        Assert.Equal("Healthy", await client.GetStringAsync("/health/ready"));
        Assert.Equal("Healthy", await client.GetStringAsync("/health/live"));
        using var page = await client.GetAsync("/");
        Assert.Equal((HttpStatusCode.OK, "/polyjuice/"), (page.StatusCode, page.RequestMessage!.RequestUri!.AbsolutePath));
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

    private string Program(string project) => _folder.File("Shop", project, "bin", Release, "net10.0", $"{project}.dll");

    private async Task MakeAsync()
    {
        packages.WriteConfiguration(_folder);
        var package = Path.Combine(packages.Folder, $"Polyjuice.Templates.{packages.Version}.nupkg");
        string[] own = ["--debug:custom-hive", _folder.File("templates")];
        await DotnetCommand.RunAsync(_folder.Path, ["new", "install", package, .. own]);
        await DotnetCommand.RunAsync(_folder.Path, ["new", "polyjuice-bank", "-o", "Shop", "--port", _port, .. own]);
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
