using System.Text.Json;

namespace Polyjuice.Lab.Tests.Commands;

public sealed class ExperimentReconCommandTests : IDisposable
{
    private readonly LabTool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Fact]
    public async Task It_measures_draws_and_writes_every_arm()
    {
        var (json, svg) = (_tool.PathOf("recon.json"), _tool.PathOf("recon.svg"));
        var answer = await _tool.RunAsync(
            "experiment", "recon", "--quick", "--accounts", "64", "--theta", "0,1.5", "--contention", "1",
            "--storage-ms", "0,1", "--policy", "run,reserve,auto", "--transactions", "30", "--clients", "8", "--json",
            json, "--svg", svg);
        Assert.Equal((ExitCodes.Done, ""), (answer.ExitCode, answer.Error));
        using var result = JsonDocument.Parse(await File.ReadAllTextAsync(json));
        var points = result.RootElement.GetProperty("points").EnumerateArray().ToList();

        // Two skews, two latencies, warm and cold, and one contention index; three policies each.
        Assert.Equal(27, points.Count);
        Assert.All(points, point => Assert.True(Median(point, "committed/s") > 0));
        var reserved = points.Where(point => point.GetProperty("series").GetString() == "reserve").ToList();
        Assert.All(reserved, point => Assert.True(Median(point, "hold ms") > 0));
        Assert.Contains("of 1/hold", answer.Output, StringComparison.Ordinal);
        Assert.Contains("of the better of run and reserve", answer.Output, StringComparison.Ordinal);
        Assert.All(
            points.Where(point => point.GetProperty("series").GetString() == "auto"),
            point => Assert.True(Median(point, "committed/s ÷ run") > 0 && Median(point, "committed/s ÷ reserve") > 0));
        var drawing = System.Xml.Linq.XDocument.Load(svg);
        Assert.Equal(5 * 3 * 3, drawing.Descendants().Count(element => element.Name.LocalName == "polyline"));
    }

    [Theory]
    [InlineData("dry-run")]
    [InlineData("declared")]
    [InlineData("auto-declared")]
    [InlineData("auto-unmarked")]
    public async Task Each_way_to_let_transactions_in_can_be_measured_by_itself(string policy)
    {
        var json = _tool.PathOf("recon.json");
        var answer = await _tool.RunAsync(
            "experiment", "recon", "--quick", "--accounts", "64", "--theta", "1.5", "--contention", "1", "--storage-ms",
            "0", "--policy", policy, "--transactions", "30", "--clients", "8", "--json", json);
        Assert.Equal((ExitCodes.Done, ""), (answer.ExitCode, answer.Error));
        using var result = JsonDocument.Parse(await File.ReadAllTextAsync(json));
        var points = result.RootElement.GetProperty("points").EnumerateArray().ToList();
        Assert.Equal(3, points.Count);
        Assert.All(points, point => Assert.True(Median(point, "committed/s") > 0));
    }

    [Theory]
    [InlineData("--policy", "best", "dry-run")]
    [InlineData("--contention", "2", "--contention")]
    [InlineData("--theta", ",", "--theta")]
    [InlineData("--storage-ms", "slow", "--storage-ms")]
    public async Task A_value_that_is_not_valid_is_refused_with_what_is(string option, string value, string expected)
    {
        var answer = await _tool.RunAsync("experiment", "recon", "--quick", option, value);
        Assert.Equal(ExitCodes.Refused, answer.ExitCode);
        Assert.Contains(expected, answer.Error, StringComparison.Ordinal);
    }

    private static double Median(JsonElement point, string figure) =>
        point.GetProperty("figures").GetProperty(figure).GetProperty("median").GetDouble();
}
