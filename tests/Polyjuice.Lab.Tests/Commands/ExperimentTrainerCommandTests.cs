using Polyjuice.Lab.Experiments;
using Polyjuice.Lab.Experiments.Trained;

namespace Polyjuice.Lab.Tests.Commands;

public sealed class ExperimentTrainerCommandTests : IDisposable
{
    private readonly LabTool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Fact]
    public async Task Silos_that_train_themselves_are_measured_phase_by_phase_beside_tables_that_stay()
    {
        var folder = _tool.PathOf("out");
        var answer = await _tool.RunAsync(
            "experiment", "trainer", "--brief", "--phase-seconds", "3", "--react-seconds", "1", "--slice-seconds",
                "0.3", "--replay-transactions", "30", "--recorded-seconds", "1", "--offline-seconds", "1",
            "--window-seconds", "10", "--budget-seconds", "1", "--customers", "200", "--clients", "8", "--out", folder);

        // What holds on a machine that is busy elsewhere nobody knows.
        Assert.Equal((ExitCodes.Done, ""), (answer.ExitCode, answer.Error));
        var result = ExperimentResult.FromJson(await File.ReadAllTextAsync(Path.Combine(folder, "trainer.json")));
        Assert.True(result.IsComplete);
        foreach (var series in (string[])[TrainedShiftsVerdict.Trainer, TrainedShiftsVerdict.Began,
            TrainedShiftsVerdict.Offline])
            Assert.Equal([1, 2, 3, 4],
                result.Points.Where(point => point.Panel == TrainedShiftsVerdict.ByPhase && point.Series == series)
                .Select(point => point.X).Order());
        Assert.Equal(4,
            result.Findings.Count(finding => finding.Text.Contains("published,", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData("--react-seconds", "400", "--phase-seconds")]
    [InlineData("--policy", "occ,ic3", "one table")]
    [InlineData("--window-seconds", "0", "--window-seconds")]
    [InlineData("--window-seconds", "7", "--window-seconds is at least 10")]
    public async Task What_is_not_valid_is_refused(string option, string value, string expected)
    {
        var answer = await _tool.RunAsync("experiment", "trainer", option, value);
        Assert.Equal(ExitCodes.Refused, answer.ExitCode);
        Assert.Contains(expected, answer.Error, StringComparison.Ordinal);
    }
}
