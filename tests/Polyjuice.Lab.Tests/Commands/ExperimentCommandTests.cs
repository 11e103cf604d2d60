using System.Xml.Linq;
using Polyjuice.Lab.Experiments;
using Polyjuice.Lab.Tool.Experiments;

namespace Polyjuice.Lab.Tests.Commands;

public sealed class ExperimentCommandTests : IDisposable
{
    private readonly LabTool _tool = new();

    /// <summary>
    /// Without those over time, which CI runs briefly, and reconnaissance, which has a command of its own.
    /// </summary>
    public static TheoryData<string> Sweeps =>
        [
            .. ExperimentCatalogue.All.Except(ExperimentCatalogue.OverTime).Select(experiment => experiment.Name)
            .Except(["recon"])
        ];

    public void Dispose() => _tool.Dispose();

    [Theory]
    [MemberData(nameof(Sweeps))]
    public async Task An_experiment_writes_its_result_its_charts_and_a_report(string name)
    {
        var folder = _tool.PathOf("out");
        var answer = await _tool.RunAsync(
            "experiment", name, "--brief", "--transactions", "20", "--clients", "4", "--policy", "ic3,occ", "--out",
            folder);
        Assert.Equal((ExitCodes.Done, ""), (answer.ExitCode, answer.Error));
        var result = ExperimentResult.FromJson(await File.ReadAllTextAsync(Path.Combine(folder, $"{name}.json")));
        Assert.True(result.IsComplete);
        Assert.Contains(result.Points, point => point.Series == "ic3");
        Assert.All(
            result.Points.Where(point => point.Figures.ContainsKey("committed/s")),
            point => Assert.True(point["committed/s"] > 0));
        Assert.Contains(
            XDocument.Load(Path.Combine(folder, $"{name}.svg")).Descendants(),
            element => element.Name.LocalName == "polyline"
                || (element.Name.LocalName == "rect" && element.Attribute("fill") is not null));
        Assert.Contains(
            $"id=\"{name}\"",
            await File.ReadAllTextAsync(Path.Combine(folder, "index.html")),
            StringComparison.Ordinal);
    }

    [Fact]
    public void One_name_stands_for_the_experiments_over_time_which_CI_runs()
    {
        var names = ExperimentCatalogue.Choose("over-time").Select(experiment => experiment.Name);

        Assert.Equal(["switch", "switch-published", "rollback", "shifting", "shifting-tpcc"], names);
        Assert.Contains("--only over-time ", File.ReadAllText(Repository.PathOf(".ci/run")), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_report_holds_the_results_of_several_runs_in_the_order_of_the_catalogue()
    {
        var folder = _tool.PathOf("out");
        await _tool.RunAsync(
            "experiment", "all", "--only", "incr1", "--brief", "--transactions", "20", "--policy", "occ", "--out",
            folder);
        await _tool.RunAsync(
            "experiment", "all", "--only", "micro", "--brief", "--transactions", "20", "--policy", "occ", "--out",
            folder);
        _tool.Write("out/other.json", "[]");
        var answer = await _tool.RunAsync("experiment", "report", folder);
        Assert.Equal(ExitCodes.Done, answer.ExitCode);
        Assert.Contains("other.json is not the result of an experiment", answer.Output, StringComparison.Ordinal);
        var report = await File.ReadAllTextAsync(Path.Combine(folder, "index.html"));
        Assert.True(
            report.IndexOf("id=\"micro\"", StringComparison.Ordinal) is > 0 and var micro
                && micro < report.IndexOf("id=\"incr1\"", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_folder_without_results_is_answered_with_how_to_make_some()
    {
        Directory.CreateDirectory(_tool.PathOf("empty"));
        var answer = await _tool.RunAsync("experiment", "report", _tool.PathOf("empty"));
        Assert.Equal(ExitCodes.Refused, answer.ExitCode);
        Assert.Contains("experiment all --quick --out", answer.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("micro", "--policy", "best", "occ")]
    [InlineData("micro", "--clients", "0", "from 1 to")]
    [InlineData("micro", "--transactions", "no", "--transactions")]
    [InlineData("all", "--only", "tpcd", "tpcc, scalability")]
    public async Task A_value_that_is_not_valid_is_refused_with_what_is(
        string name, string option, string value, string expected)
    {
        var answer = await _tool.RunAsync("experiment", name, "--brief", option, value);
        Assert.Equal(ExitCodes.Refused, answer.ExitCode);
        Assert.Contains(expected, answer.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_folder_that_cannot_be_written_is_known_before_anything_is_measured()
    {
        var answer = await _tool.RunAsync(
            "experiment", "micro", "--brief", "--out", Path.Combine(_tool.Write("file", ""), "below"));
        Assert.Equal(ExitCodes.Refused, answer.ExitCode);
        Assert.DoesNotContain("1 of", answer.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("incr1")]
    [InlineData("shifting-tpcc")]
    public async Task An_interrupted_experiment_keeps_what_it_has_measured_and_says_that_it_is_not_whole(string name)
    {
        var folder = _tool.PathOf("out");
        var answer = await _tool.InterruptAsync(
            "1 of 3", "experiment", "all", "--only", $"{name},micro", "--brief", "--clients", "4", "--policy",
            "occ,ic3,locking", "--out", folder);
        Assert.Equal((ExitCodes.No, ""), (answer.ExitCode, answer.Error));
        var result = ExperimentResult.FromJson(await File.ReadAllTextAsync(Path.Combine(folder, $"{name}.json")));
        Assert.False(result.IsComplete);
        Assert.Null(result.Failure);
        Assert.Single(result.Points.Select(point => point.Series).Distinct());
        Assert.Contains(
            $"id=\"{name}\"",
            await File.ReadAllTextAsync(Path.Combine(folder, "index.html")),
            StringComparison.Ordinal);

        // The next one is not begun.
        Assert.False(File.Exists(Path.Combine(folder, "micro.json")));
    }

    [Fact]
    public async Task Two_scales_at_once_are_refused()
    {
        var answer = await _tool.RunAsync("experiment", "micro", "--quick", "--brief");
        Assert.Equal(ExitCodes.Refused, answer.ExitCode);
        Assert.Contains("--quick and --brief", answer.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Names_are_different_and_fit_files() =>
        Assert.All(
            ExperimentCatalogue.All.GroupBy(experiment => experiment.Name),
            names => Assert.True(
                names.Count() == 1
                    && names.Key.All(c => char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c == '-')));
}
