using Polyjuice.Lab.Training;

namespace Polyjuice.Lab.Tests.Commands;

public sealed class TrainLearnCommandTests : IDisposable
{
    private static readonly string[] s_small =
    [
        "train", "learn", "multitransfer", "--theta", "0.6", "--accounts", "200", "--clients", "8", "--policy", "occ",
        "--record-transactions", "400", "--budget", "1s", "--race-seconds", "0.1", "--rounds", "3", "--verdict-rounds",
        "3",
    ];

    private readonly LabTool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Fact]
    public async Task What_a_training_came_to_is_said_and_kept_whether_a_table_was_better_or_not()
    {
        var (json, file) = (_tool.PathOf("gains.json"), _tool.PathOf("found.json"));

        var (exitCode, output, error) = await _tool.RunAsync([.. s_small, "--out", file, "--json", json]);

        Assert.Equal("", error);

        // What wins on a busy machine is chance.
        Assert.True(exitCode is ExitCodes.Done or 3, output);
        Assert.Equal(exitCode == ExitCodes.Done, File.Exists(file));
        Assert.Contains("[3/4]", output, StringComparison.Ordinal);
        var gain = Assert.Single(await LearnedGain.ReadAsync(json));
        Assert.Equal(
            ("multitransfer", 0.6, 2, 8, 0d, 0d),
            (gain.Workload, gain.Theta, gain.Silos, gain.Clients, gain.NetworkMs, gain.AppendMs));
        Assert.True(gain.Ratio > 0);
        var printed = await _tool.RunAsync("train", "gains", json);
        Assert.Equal(ExitCodes.Done, printed.ExitCode);
        Assert.Contains(printed.Output.TrimEnd(), output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--race-seconds", "0", "--race-seconds")]
    [InlineData("--verdict-rounds", "2", "--verdict-rounds")]
    [InlineData("--out", "table.txt", "--out")]
    public async Task A_value_that_is_not_valid_is_refused_by_name(string option, string value, string expected)
    {
        var (exitCode, _, error) = await _tool.RunAsync([
            .. s_small, .. (string[])(option == "--out" ? [] : ["--out", _tool.PathOf("x.json")]), option, value
        ]);

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains(expected, error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_file_of_something_else_is_refused_by_name()
    {
        var file = _tool.PathOf("other.json");
        await File.WriteAllTextAsync(file, "{ \"no\": 1 }");

        var (exitCode, _, error) = await _tool.RunAsync("train", "gains", file);

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains("other.json", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Nothing_is_learned_where_what_it_comes_to_could_not_be_kept()
    {
        var file = _tool.PathOf("other.json");
        await File.WriteAllTextAsync(file, "{ \"no\": 1 }");

        var (exitCode, output, error) = await _tool.RunAsync([
            .. s_small, "--out", _tool.PathOf("x.json"), "--json", file
        ]);

        Assert.Equal((ExitCodes.Refused, ""), (exitCode, output));
        Assert.Contains("other.json", error, StringComparison.Ordinal);
    }
}
