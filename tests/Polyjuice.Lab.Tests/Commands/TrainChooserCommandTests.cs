using System.Text.Json;
using Polyjuice.Lab.Choosing;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Tests.Commands;

public sealed class TrainChooserCommandTests : IDisposable
{
    private readonly LabTool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Fact]
    public async Task A_model_is_trained_on_drawn_applications_and_what_it_chooses_for_others_is_said()
    {
        var (measurements, model) = (_tool.PathOf("drawn.json"), _tool.PathOf("model.json"));
        await DrawAsync(measurements);

        var (exitCode, output, error) = await _tool.RunAsync(
            "train", "chooser", "fit", measurements, "--policy", "occ,reserve", "--out", model, "--details");

        Assert.Equal(("", ExitCodes.Done), (error, exitCode));
        Assert.Contains("| of the best, 12 loads |", output, StringComparison.Ordinal);
        Assert.Contains("| chosen, drawn-3 left out |", output, StringComparison.Ordinal);
        Assert.Contains("| drawn-14 |", output, StringComparison.Ordinal);
        await using var stream = File.OpenRead(model);
        Assert.Equal(["occ", "reserve"], ChoiceModel.Read(stream).Tables.Select(table => table.Name));
    }

    [Fact]
    public async Task Loads_of_a_cluster_are_measured_under_each_table_in_each_round()
    {
        var file = _tool.PathOf("grid.json");

        var (exitCode, _, error) = await _tool.RunAsync(
            "train", "chooser", "measure", "--workload", "hotgrain", "--policy", "occ,locking", "--rounds", "2",
            "--settle-seconds", "0", "--seconds", "0.05", "--clients", "4", "--out", file);

        Assert.Equal(("", ExitCodes.Done), (error, exitCode));
        var found = (await ChoiceMeasurements.ReadAsync(file)).Measurements;
        Assert.Equal(8, found.Count);
        Assert.All(
            found.GroupBy(one => (one.Setting, one.Round)),
            round => Assert.Equal(["locking", "occ"], round.Select(one => one.Table).Order()));
    }

    [Fact]
    public async Task A_file_of_something_else_is_refused()
    {
        var (exitCode, _, error) = await _tool.RunAsync("train", "chooser", "fit", _tool.Write("other.json", "[1]"));
        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains("other.json", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task One_workload_is_too_few()
    {
        var one = new ChoiceMeasurement("a", "a, at rest", 1, 1, "occ", 1, 10, [1]);
        var file = _tool.Write(
            "one.json",
            JsonSerializer.Serialize(new ChoiceMeasurements(["Commits"], [one]), JsonSerializerOptions.Web));
        var (exitCode, _, error) = await _tool.RunAsync("train", "chooser", "fit", file);
        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains("Two workloads", error, StringComparison.Ordinal);
    }

    private async Task DrawAsync(string file)
    {
        var (exitCode, output, error) = await _tool.RunAsync(
            "train", "chooser", "measure", "--drawn", "12", "--drawn-transactions", "60", "--seed", "3", "--policy",
            "occ,dirty-public,reserve", "--out", file);
        Assert.Equal(("", ExitCodes.Done), (error, exitCode));
        Assert.Contains("12 of 12", output, StringComparison.Ordinal);
    }
}
