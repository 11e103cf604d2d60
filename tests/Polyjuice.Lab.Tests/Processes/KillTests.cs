using Polyjuice.Lab.Tests.Commands;

namespace Polyjuice.Lab.Tests.Processes;

/// <summary>Silos as processes over Azurite. A night's run is the command's own: <c>polyjuice-lab kill</c>.</summary>
[RequiresAzurite]
public sealed class KillTests
{
    // Longer than it takes the others to declare a silo dead: it is deposed while it stands still.
    private const string Pause = "12";

    [ConditionalFact]
    public async Task Nothing_acknowledged_is_lost_and_nothing_is_half_done_when_silos_are_killed_and_stand_still()
    {
        using var lab = new LabTool();

        var answer = await lab.RunAsync(
            "kill", "--kills", "5", "--absence", "2", "--stops", "1", "--pause", Pause, "--commits-between", "10",
            "--evidence", lab.PathOf("evidence"));

        Assert.True(answer.ExitCode == 0, answer.Output + answer.Error);
        Assert.Contains("5 kills, 1 stops", answer.Output);
    }

    [ConditionalFact]
    public async Task A_silo_on_files_that_is_killed_finds_all_that_it_has_acknowledged()
    {
        using var lab = new LabTool();

        var answer = await lab.RunAsync(
            "kill", "--logs", "files", "--kills", "3", "--absence", "0", "--stops", "0", "--commits-between", "10",
            "--evidence", lab.PathOf("evidence"));

        Assert.True(answer.ExitCode == 0, answer.Output + answer.Error);
        Assert.Contains("3 kills, 0 stops", answer.Output);
    }
}
