using Polyjuice.Lab.Experiments;

namespace Polyjuice.Lab.Tests.Commands;

public sealed class TrainCompareCommandTests : IDisposable
{
    private static readonly string[] s_workload =
    [
        "--workload", "multitransfer", "--theta", "1.2", "--accounts", "20", "--clients", "16", "--network-ms", "1",
        "--append-ms", "2", "--record-transactions", "800", "--transactions", "100",
    ];

    /// <summary>A trace that is there already, so that no busy machine makes it too short.</summary>
    private static readonly string[] s_trace =
    [
        "--trace", TraceFolder(), "--clients", "16", "--network-ms", "1", "--append-ms", "2", "--transactions", "100"
    ];

    private readonly LabTool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Fact]
    public async Task Searches_are_compared_and_the_folder_holds_figures_and_picture()
    {
        var folder = _tool.PathOf("compared");

        var (exitCode, output, error) = await _tool.RunAsync([
            "train", "compare", .. s_trace, "--algorithm", "ours,ea,gradient", "--seeds", "2", "--evaluations", "40",
            "--measurements", "2", "--out", folder
        ]);

        Assert.Equal("", error);
        Assert.Equal(ExitCodes.Done, exitCode);
        Assert.Contains("[6/6]", output, StringComparison.Ordinal);
        Assert.Contains("known: locking, ", output, StringComparison.Ordinal);
        Assert.Contains("the best known table is ", output, StringComparison.Ordinal);
        Assert.Contains("gradient ends at ", output, StringComparison.Ordinal);
        Assert.Contains("ea ends at ", output, StringComparison.Ordinal);
        var result = ExperimentResult.FromJson(await File.ReadAllTextAsync(Path.Combine(folder, "searches.json")));
        Assert.True(result.IsComplete);
        Assert.Equal(
            ["ea", "gradient", "ours"],
            result.Points.Where(point => point.Panel == "means over seeds").Select(point => point.Series).Distinct()
                .Order());
        Assert.Contains(
            "<svg", await File.ReadAllTextAsync(Path.Combine(folder, "searches.svg")), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Too_many_tables_are_not_enumerated()
    {
        var (exitCode, _, error) = await _tool.RunAsync(
            "train", "enumerate", "--trace", TraceFolder("tpcc-version-1"), "--out", _tool.PathOf("all"));

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains("multitransfer", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("compare", "--seeds", "0", "--seeds")]
    [InlineData("compare", "--algorithm", "luck", "ours, forest, ea, gradient")]
    [InlineData("compare", "--algorithm", "ours,luck-builtin", "luck")]
    [InlineData("compare", "--known", "reserve", "reserves")]
    [InlineData("compare", "--known", "nothing-of-this-name", "nothing-of-this-name")]
    [InlineData("compare", "--checkpoint", "somewhere", "--trace")]
    [InlineData("enumerate", "--parent", "reserve", "reserves")]
    [InlineData("enumerate", "--brief-transactions", "1", "--brief-transactions")]
    public async Task A_value_that_is_not_valid_is_refused_with_what_is_and_writes_nothing(
        string command, string option, string value, string expected)
    {
        var (exitCode, _, error) = await _tool.RunAsync([
            "train", command, .. s_workload, option, value, "--out", _tool.PathOf("out")
        ]);

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains(expected, error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(_tool.PathOf("out")));
    }

    private static string TraceFolder(string name = "multitransfer")
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Polyjuice.sln")))
            folder = folder.Parent ?? throw new DirectoryNotFoundException("The tests run outside of the repository.");
        return Path.Combine(folder.FullName, "tests", "Polyjuice.Training.Tests", "Traces", "Files", name);
    }
}
